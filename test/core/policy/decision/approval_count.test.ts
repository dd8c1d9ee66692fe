// Compares the counted approvals with the decision on each set of further approvals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  approvalCount,
  countedUser,
  countingRules,
} from '../../../../src/core/policy/decision/approval_count.ts';
import { decidingPolicy } from '../../../../src/core/policy/decision/deciding_policies.ts';
import {
  type DecisionInput,
  decisionInputOf,
  isAllowed,
} from '../../../../src/core/policy/decision/decision.ts';
import type { Voter } from '../../../../src/core/policy/decision/voters.ts';

const names = ['ada', 'bob', 'cyd', 'dee', 'eve'];
const voter = (name: string): Voter => ({
  userId: name,
  user: { id: name, tags: name < 'cyd' ? ['early'] : ['late', 'second'], email: '', alias: name },
  credentials: [
    {
      id: name,
      user_id: name,
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      public_key: '',
      credential_id: '',
    },
  ],
});
const everybody = names.map(voter);

type Written = {
  readonly consensus: string;
  readonly effect?: 'EFFECT_DENY';
  readonly condition?: string;
};

function inputOf(
  policies: readonly Written[],
  rootQuorum = { threshold: 1, userIds: [] as readonly string[] },
  more: Partial<Pick<DecisionInput, 'rule' | 'ownUserId'>> = {},
): DecisionInput {
  return decisionInputOf({
    rule: 'policy',
    rootQuorum,
    failedDeny: undefined,
    ownUserId: undefined,
    policies: policies.map(
      ({ effect = 'EFFECT_ALLOW' as const, condition = 'true', consensus }, i) =>
        decidingPolicy({ id: String(i), name: '', effect, condition, consensus }),
    ),
    scopes: () => [{}],
    timeScope: {},
    ...more,
  });
}

const allows = (input: DecisionInput, voters: readonly Voter[]) =>
  isAllowed(input, voters, 'ada', () => everybody.filter((each) => !voters.includes(each)));

function countOf(input: DecisionInput, given: readonly string[]) {
  const voters = given.map(voter);
  const rules = countingRules(input, voters);
  if (rules === undefined) return undefined;
  const users = everybody.map((each) => countedUser(rules, each, given.includes(each.userId)));
  const known = users.filter((each) => each !== undefined);
  return known.length === users.length ? approvalCount(rules, known) : undefined;
}

const shownAs = (input: DecisionInput, given: readonly string[]) => {
  const count = countOf(input, given);
  return count && { ...count, neededAfter: Object.fromEntries(count.neededAfter) };
};

test('approvals are counted under the policy, also after an approval of each user', () => {
  assert.deepEqual(shownAs(inputOf([{ consensus: 'approvers.count() >= 2' }]), ['ada']), {
    given: 1,
    needed: 2,
    neededAfter: { bob: 0, cyd: 0, dee: 0, eve: 0 },
  });
  const late = "approvers.filter(user, user.tags.contains('late')).count() > 1";
  assert.deepEqual(shownAs(inputOf([{ consensus: late }]), ['ada', 'cyd']), {
    given: 1,
    needed: 2,
    neededAfter: { bob: 1, dee: 0, eve: 0 },
  });
  const one = "approvers.any(user, user.id in ['dee', 'eve'])";
  assert.deepEqual(shownAs(inputOf([{ consensus: one }]), ['ada']), {
    given: 0,
    needed: 1,
    neededAfter: { bob: 1, cyd: 1, dee: 0, eve: 0 },
  });
});

test('without a waiting policy, approvals are counted under the root quorum', () => {
  const quorum = { threshold: 2, userIds: ['ada', 'bob', 'cyd'] };
  const expected = { given: 1, needed: 2, neededAfter: { bob: 0, cyd: 0, dee: 1, eve: 1 } };
  assert.deepEqual(shownAs(inputOf([], quorum), ['ada']), expected);
  assert.deepEqual(shownAs(inputOf([], quorum, { rule: 'root_quorum' }), ['ada']), expected);
  const never = { consensus: 'approvers.count() >= 9' };
  assert.deepEqual(shownAs(inputOf([never], quorum), ['ada']), expected);
  assert.equal(shownAs(inputOf([], { threshold: 0, userIds: [] }), ['ada']), undefined);
});

test('the count is 0 after the approval of a root quorum member that suffices', () => {
  const input = inputOf([{ consensus: 'approvers.count() >= 4' }], {
    threshold: 1,
    userIds: ['eve'],
  });
  assert.deepEqual(shownAs(input, ['ada']), {
    given: 1,
    needed: 4,
    neededAfter: { bob: 2, cyd: 2, dee: 2, eve: 0 },
  });
});

test('rules other than plain counts have no count', () => {
  for (const consensus of [
    "approvers.count() >= 2 && approvers.any(user, user.id == 'bob')",
    'approvers.any(user, approvers.count() >= 3)',
    'approvers.any(user, credentials.any(each, each.user_id == user.id))',
    'credentials.count() >= 2',
    'approvers.count() == 2',
    'approvers.count() >= 0',
    "approvers.all(user, user.id != 'bob')",
    // This fails for users without a second tag.
    "approvers.filter(user, user.tags[1] == 'second').count() >= 2",
  ]) {
    assert.equal(countOf(inputOf([{ consensus }]), ['ada']), undefined, consensus);
  }
  const two = { consensus: 'approvers.count() >= 2' };
  assert.equal(countOf(inputOf([two, two]), ['ada']), undefined, 'two policies');
  const deny = { consensus: 'approvers.count() >= 3', effect: 'EFFECT_DENY' } as const;
  assert.equal(countOf(inputOf([two, deny]), ['ada']), undefined, 'a policy that may deny');
  const quorum = { threshold: 2, userIds: ['bob', 'cyd', 'dee'] };
  const five = { consensus: 'approvers.count() >= 5' };
  assert.equal(countOf(inputOf([five], quorum), ['ada']), undefined, 'a shorter root quorum');
  const own = inputOf([two], undefined, { ownUserId: 'bob' });
  assert.equal(countOf(own, ['ada']), undefined, 'the owner of the credential');
});

test('users whose approvals take the steps of more than one decision are not counted', () => {
  const words = Array.from({ length: 4_000 }, (_, i) => `'${i}'`).join(', ');
  const predicate = `[${words}].all(word, [1, 2, 3, 4, 5, 6].all(n, n > 0 && word != user.id))`;
  const long = { consensus: `approvers.filter(user, ${predicate}).count() >= 3` };
  const input = inputOf([long]);
  const rules = countingRules(input, [voter('ada')]);
  assert(rules !== undefined);
  const counted = everybody.map((each) => countedUser(rules, each, false)?.byPolicy);
  assert.equal(counted[0], true);
  assert.equal(counted.at(-1), undefined);
  assert.equal(allows(input, everybody), false);
});

test('a rule that is already met has no count: the next vote decides', () => {
  const given = ['ada', 'bob'];
  assert.equal(countOf(inputOf([{ consensus: 'approvers.count() >= 1' }]), given), undefined);
  const quorum = { threshold: 1, userIds: ['bob'] };
  assert.equal(countOf(inputOf([], quorum), given), undefined);
  const three = { consensus: 'approvers.count() >= 3' };
  assert.equal(countOf(inputOf([three], quorum), given), undefined);
});

const consensus = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map((least) => `approvers.count() >= ${least}`),
  fc
    .record({ least: fc.integer({ min: 1, max: 4 }), tag: fc.constantFrom('early', 'late') })
    .map(
      ({ least, tag }) =>
        `approvers.filter(user, user.tags.contains('${tag}')).count() >= ${least}`,
    ),
  fc
    .subarray(names, { minLength: 1 })
    .map((ids) => `approvers.any(user, user.id in [${ids.map((id) => `'${id}'`).join(', ')}])`),
  fc.constant("approvers.count() >= 2 && approvers.any(user, user.id == 'bob')"),
  fc.constant("approvers.filter(user, user.tags[1] == 'second').count() >= 1"),
);
const policies = fc.array(
  fc.record(
    {
      consensus,
      effect: fc.constant('EFFECT_DENY' as const),
      condition: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: ['consensus'] },
  ),
  { maxLength: 3 },
);

test('each count agrees with the decision on every set of further approvals', () => {
  let counted = 0;
  fc.assert(
    fc.property(
      policies,
      fc.record({ threshold: fc.integer({ min: 0, max: 3 }), userIds: fc.subarray(names) }),
      fc.subarray(names, { minLength: 1, maxLength: 4 }),
      (written, rootQuorum, given) => {
        const input = inputOf(written, rootQuorum);
        const voters = given.map(voter);
        if (allows(input, voters)) return;
        const count = countOf(input, given);
        if (count === undefined) return;
        counted += 1;
        const further = everybody.filter(({ userId }) => !given.includes(userId));
        assert.deepEqual(
          [...count.neededAfter.keys()],
          further.map(({ userId }) => userId),
        );
        for (const next of further) {
          const others = further.filter((each) => each !== next);
          const least = Math.min(
            ...setsOf(others)
              .filter((set) => allows(input, [...voters, next, ...set]))
              .map((set) => set.length),
          );
          const claimed: number =
            count.neededAfter.get(next.userId) ?? assert.fail('it is counted');
          // If the approval of a root quorum member suffices alone, the count may exceed the smallest set.
          const alone = others.some(({ userId }) => count.neededAfter.get(userId) === 0);
          if (claimed === 0 || !alone) assert.equal(claimed, least);
          else assert(claimed >= least && least > 0, `${claimed} for ${least}`);
        }
      },
    ),
    { numRuns: 4_000, seed: 37 },
  );
  assert(counted > 200, `${counted} cases were counted`);
});

function setsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const [first, ...others] = items;
  if (first === undefined) return [[]];
  const sets = setsOf(others);
  return [...sets, ...sets.map((set) => [first, ...set])];
}
