import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RootQuorum } from '../../../../src/core/organization/model.ts';
import { canAffectOutcome } from '../../../../src/core/policy/decision/can_affect_outcome.ts';
import type {
  DecidingClause,
  DecidingPolicy,
} from '../../../../src/core/policy/decision/deciding_policy.ts';
import {
  type DecisionInput,
  decideActivity,
  decisionInputOf,
  type decisionReasons,
  isAllowed,
  mayVote,
} from '../../../../src/core/policy/decision/decision.ts';
import { outcomeLetters, spelledOut } from '../../../../src/core/policy/decision/verdict_codes.ts';
import type { Voter } from '../../../../src/core/policy/decision/voters.ts';
import type { ClauseOutcome } from '../../../../src/core/policy/language/clause.ts';

const names = ['ada', 'bob', 'cyd', 'dee'];

test('a root quorum needs its threshold of different members, and overrides all else', () => {
  const quorum = { threshold: 2, userIds: ['ada', 'bob', 'cyd'] };
  const denied = inputOf({ rootQuorum: quorum, policies: [deny()] });
  assert.equal(decide(denied, ['ada', 'cyd']), 'root_quorum_met');
  assert.equal(decide(denied, ['ada', 'ada']), 'awaits_root_quorum');
  assert.equal(decide(denied, ['ada', 'dee']), 'awaits_root_quorum');
  assert.equal(decide(denied, ['dee']), 'policy_denies');
});

test('no votes reach a quorum without a threshold', () => {
  for (const userIds of [[], ['ada']]) {
    const rootQuorum = { threshold: 0, userIds };
    assert.notEqual(decide(inputOf({ rootQuorum }), ['ada']), 'root_quorum_met');
  }
});

test('policies cannot allow operations of the root quorum, nor can users for themselves', () => {
  const rootOnly = { rule: 'root_quorum', policies: [allow()], ownUserId: 'dee' } as const;
  assert.equal(decide(inputOf(rootOnly), ['dee']), 'root_quorum_required');
  assert.equal(decide(inputOf(rootOnly), ['bob']), 'awaits_root_quorum');
  assert.equal(decide(inputOf(rootOnly), ['bob', 'ada']), 'root_quorum_met');
});

test('a login of another member: the approval of that member alone allows nothing', () => {
  const rule = 'other_member';
  const rootQuorum = { threshold: 2, userIds: ['ada', 'bob', 'cyd'] };
  const ofBob = inputOf({ rule, rootQuorum, ownUserId: 'bob' });
  const allowed = (...ids: string[]) =>
    isAllowed(ofBob, ids.map(voter), ids[0] ?? '', () => names.map(voter));
  assert.equal(decide(ofBob, ['dee', 'bob']), 'awaits_root_quorum');
  assert.equal(allowed('dee', 'bob'), false);
  assert.equal(allowed('ada', 'bob'), true);
});

test('policies allow, deny or do not apply', () => {
  const of = (...policies: DecidingPolicy[]) => decide(inputOf({ policies }), ['dee']);
  assert.equal(of(), 'no_policy_allows');
  assert.equal(of(allow()), 'policy_allows');
  assert.equal(of(allow(), deny()), 'policy_denies');
  assert.equal(of(allow({ condition: no })), 'no_policy_allows');
  assert.equal(of(allow({ time: no })), 'no_policy_allows');
  assert.equal(of(allow({ condition: no }), allow()), 'policy_allows');
  assert.equal(of(allow(), deny({ condition: no })), 'policy_allows');
  assert.equal(of(allow(), deny({ time: no })), 'policy_allows');
  assert.equal(of(allow(), deny({ consensus: needs('bob') })), 'policy_allows');
  assert.equal(of(allow(), deny({ consensus: needs('dee') })), 'policy_denies');
});

test('a failing clause grants nothing in an ALLOW, and denies in a DENY that could apply', () => {
  const of = (policy: DecidingPolicy, failedDeny?: DecisionInput['failedDeny']) =>
    decide(inputOf({ policies: [allow({ condition: yes }), policy], failedDeny }), ['dee']);
  const onlyAllow = inputOf({ policies: [allow({ condition: broken })] });
  assert.equal(decide(onlyAllow, ['dee']), 'no_policy_allows');
  for (const clause of ['condition', 'consensus', 'time']) {
    assert.equal(of(deny({ [clause]: broken })), 'policy_denies', clause);
    assert.equal(of(deny({ [clause]: absent })), 'policy_allows', clause);
    assert.equal(of(deny({ [clause]: broken }), 'FAILED_DENY_SKIPPED'), 'policy_allows', clause);
  }
  // The policy would not apply for any value of the broken clause.
  assert.equal(of(deny({ condition: broken, time: no })), 'policy_allows');
  assert.equal(of(deny({ condition: broken, consensus: needs('bob') })), 'policy_allows');
});

test('a part that exhausts its steps denies next to a part that fails otherwise', () => {
  const asked: Readonly<Record<string, DecidingClause>> = { broken, absent, no, endless };
  // One clause for all parts; the name of a part selects its outcome.
  const condition = clauseOf((scope, meter) => {
    const clause = asked[String(scope['part'])];
    return clause === undefined ? { value: false } : clause.evaluate(scope, meter);
  });
  const of = (parts: readonly string[], failedDeny?: DecisionInput['failedDeny']) =>
    decide(
      inputOf({
        policies: [allow(), deny({ condition })],
        scopes: () => parts.map((part) => ({ part })),
        failedDeny,
      }),
      ['dee'],
    );
  for (const other of ['broken', 'absent', 'no']) {
    for (const parts of [
      ['endless', other],
      [other, 'endless'],
      [other, other, 'endless'],
    ]) {
      assert.equal(of(parts), 'policy_denies', parts.join());
      assert.equal(of(parts, 'FAILED_DENY_SKIPPED'), 'policy_denies', parts.join());
    }
  }
  assert.equal(of(['broken', 'absent'], 'FAILED_DENY_SKIPPED'), 'policy_allows');
  assert.equal(of(['absent', 'broken']), 'policy_denies');
});

test('an activity waits for votes if the policy mentions the submitter and further votes would suffice', () => {
  const of = (consensus: DecidingClause, voters: string[] = ['dee'], rootQuorum = rootOf('ada')) =>
    decide(inputOf({ policies: [allow({ consensus })], rootQuorum }), voters);
  // A member of the root quorum below its threshold.
  const quorum = { threshold: 2, userIds: ['ada', 'bob'] };
  assert.equal(decide(inputOf({ rootQuorum: quorum }), ['ada']), 'awaits_root_quorum');
  // One of two required users, then both.
  assert.equal(of(needs('cyd', 'dee')), 'awaits_policy_votes');
  assert.equal(of(needs('cyd', 'dee'), ['dee', 'cyd']), 'policy_allows');
  // A number of approvers.
  assert.equal(of(atLeast(2)), 'awaits_policy_votes');
  assert.equal(of(atLeast(2), ['dee', 'cyd']), 'policy_allows');
  // All users together.
  assert.equal(of(atLeast(4)), 'awaits_policy_votes');
  assert.equal(of(atLeast(9)), 'no_policy_allows');
  // Only another user.
  assert.equal(of(needs('cyd')), 'no_policy_allows');
  // An exact number, found by trying sets of users.
  assert.equal(of(exactly(2)), 'awaits_policy_votes');
  assert.equal(of(exactly(3)), 'awaits_policy_votes');
  assert.equal(of(exactly(1)), 'policy_allows');
});

test('no vote overrides a policy that denies, except those of the root quorum', () => {
  const policies = [allow({ consensus: atLeast(2) }), deny()];
  assert.equal(decide(inputOf({ policies }), ['dee']), 'policy_denies');
  const bothRoot = { threshold: 2, userIds: ['ada', 'bob'] };
  assert.equal(decide(inputOf({ policies, rootQuorum: bothRoot }), ['ada']), 'awaits_root_quorum');
  // Further votes would lift this denial, so the activity waits.
  const lifted = [allow({ consensus: atLeast(2) }), deny({ consensus: exactly(1) })];
  assert.equal(decide(inputOf({ policies: lifted }), ['dee']), 'awaits_policy_votes');
});

test('users manage their own credentials unless a policy decides', () => {
  const own = (policies: DecidingPolicy[], voters = ['dee']) =>
    decide(inputOf({ policies, ownUserId: 'dee' }), voters);
  assert.equal(own([]), 'own_credential');
  assert.equal(own([], ['cyd']), 'no_policy_allows');
  assert.equal(own([allow({ condition: no })]), 'own_credential');
  assert.equal(own([deny()]), 'policy_denies');
  assert.equal(own([deny({ condition: broken })]), 'policy_denies');
  assert.equal(own([allow({ consensus: needs('cyd') })]), 'awaits_policy_votes');
  assert.equal(own([allow({ consensus: needs('nobody') })]), 'no_policy_allows');
});

test('members of the root quorum may vote, and users whom a consensus mentions', () => {
  const policies = [allow({ consensus: needs('cyd') }), deny({ consensus: needs('dee') })];
  const may = (given: Partial<DecisionInput> & { policies?: DecidingPolicy[] }, name: string) =>
    mayVote(inputOf({ policies, ...given }), voter(name));
  assert.deepEqual(
    names.map((name) => may({}, name)),
    [true, true, true, false],
  );
  const inactive = [allow({ consensus: needs('cyd'), condition: no })];
  assert.equal(may({ policies: inactive }, 'cyd'), false);
  assert.equal(may({ policies: [allow({ consensus: needs('cyd'), time: no })] }, 'cyd'), false);
  assert.equal(may({ rule: 'root_quorum' }, 'cyd'), false);
});

test('a condition on several parts: an ALLOW needs all parts, a DENY one part', () => {
  const part = (value: string): DecidingClause => ({
    evaluate: (scope) =>
      scope['part'] === 'bad' ? absentOutcome : { value: scope['part'] === value },
    mentions: () => false,
  });
  const of = (policies: DecidingPolicy[], parts: string[]) =>
    decide(inputOf({ policies, scopes: () => parts.map((each) => ({ part: each })) }), ['dee']);
  const allowA = allow({ condition: part('a') });
  const denyB = deny({ condition: part('b') });
  assert.equal(of([allowA], ['a']), 'policy_allows');
  assert.equal(of([allowA], ['a', 'a']), 'policy_allows');
  assert.equal(of([allowA], ['a', 'b']), 'no_policy_allows');
  assert.equal(of([allowA], ['a', 'bad']), 'no_policy_allows');
  assert.equal(of([allow(), denyB], ['a', 'b']), 'policy_denies');
  assert.equal(of([allow(), denyB], ['bad', 'b']), 'policy_denies');
  assert.equal(of([allow(), denyB], ['a', 'a']), 'policy_allows');
});

test('conditions on equal facts are evaluated once, time clauses each time', () => {
  let asked = 0;
  let isTime = true;
  const counted = clauseOf((scope) => {
    asked += 1;
    return { value: scope['part'] === 'a' };
  });
  const policies = [
    allow({ condition: counted, time: clauseOf(() => ({ value: isTime })) }),
    deny({ condition: counted, consensus: needs('cyd') }),
  ];
  const of = (part: string, voters: string[], key = part) =>
    decide(inputOf({ policies, scopes: () => [{ part }], scopeKey: () => key }), voters);
  assert.equal(of('a', ['dee']), 'policy_allows');
  assert.equal(of('a', ['dee']), 'policy_allows');
  assert.equal(asked, 2, 'once for each policy');
  assert.equal(of('a', ['dee', 'cyd']), 'policy_denies', 'votes are counted anew');
  isTime = false;
  assert.equal(of('a', ['dee']), 'no_policy_allows');
  isTime = true;
  assert.equal(asked, 2);
  assert.equal(of('b', ['dee']), 'no_policy_allows');
  assert.equal(asked, 4, 'other facts');
  const others = inputOf({
    policies: [...policies],
    scopes: () => [{ part: 'a' }],
    scopeKey: () => 'a',
  });
  assert.equal(decide(others, ['dee']), 'policy_allows');
  assert.equal(asked, 6, 'other policies');
});

test('an evaluation stores one letter for each policy, in their order', () => {
  const policies = [
    allow(),
    deny({ condition: no }),
    allow({ condition: broken }),
    allow({ consensus: needs('cyd', 'dee') }),
    allow({ time: no }),
    deny({ consensus: needs('dee') }),
  ];
  const voters = [voter('dee')];
  const { verdicts, denying } = decideActivity(inputOf({ policies }), voters, 'dee', () => []);
  assert.equal(outcomeLetters(verdicts), 'AIECTD');
  const many = verdicts.flatMap((verdict, i) => new Array(i * 7 + 1).fill(verdict));
  assert.equal(outcomeLetters(many), 'A8I15E22C29T36D');
  assert.equal(spelledOut('A3I12E'), `AIII${'E'.repeat(12)}`);
  assert.equal(spelledOut(outcomeLetters(many)).length, many.length);
  assert.equal(outcomeLetters([]), '');
  assert.deepEqual(denying, policies.slice(-1));
});

test('only the root quorum overrides a denial, and a waiting activity can still be allowed', () => {
  const clause = fc.constantFrom(
    undefined,
    yes,
    no,
    broken,
    absent,
    needs('cyd'),
    needs('cyd', 'dee'),
    needs('ada', 'bob', 'cyd'),
    atLeast(2),
    exactly(2),
  );
  const policies = fc.array(
    fc.record({
      effect: fc.constantFrom('EFFECT_ALLOW' as const, 'EFFECT_DENY' as const),
      condition: fc.constantFrom(undefined, yes, no, broken, absent),
      time: fc.constantFrom(undefined, yes, no, broken, absent),
      consensus: clause,
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(
      policies,
      fc.subarray(names, { minLength: 1 }),
      fc.subarray(names, { minLength: 1 }),
      fc.nat(3),
      fc.constantFrom(undefined, ...names),
      (rows, voters, members, extra, ownUserId) => {
        const rootQuorum = { threshold: 1 + (extra % members.length), userIds: members };
        const given = inputOf({
          policies: rows.map((row, i) => ({ id: `p${i}`, name: '', ...row })),
          rootQuorum,
          ownUserId,
        });
        const counted = voters.map(voter);
        const submitterId = voters[0] ?? '';
        const others = names.filter((name) => !voters.includes(name)).map(voter);
        const decision = decideActivity(given, counted, submitterId, () => others);
        const quorum = members.filter((name) => voters.includes(name)).length;
        assert.equal(decision.reason === 'root_quorum_met', quorum >= rootQuorum.threshold);
        if (decision.denying.length > 0) assert.notEqual(decision.outcome, 'allow');
        if (decision.reason === 'policy_allows') {
          assert.ok(decision.verdicts.some(({ outcome }) => outcome === 'OUTCOME_ALLOW'));
        }
        if (decision.outcome === 'wait') {
          const sets = subsets(others);
          const reached = sets.some(
            (set) =>
              decideActivity(given, [...counted, ...set], submitterId, () => []).outcome ===
              'allow',
          );
          assert.ok(reached, 'some further votes allow what waits');
        }
      },
    ),
    { numRuns: 3000 },
  );
});

test('a user whose vote cannot affect the outcome is refused and may not vote, for any later facts', () => {
  const known = { yes, no, broken };
  const clause = fc.constantFrom(undefined, yes, no, broken);
  const rows = fc.array(
    fc.record({
      effect: fc.constantFrom('EFFECT_ALLOW' as const, 'EFFECT_DENY' as const),
      condition: clause,
      // The condition reads a later fact, and then has this outcome.
      later: fc.constantFrom(undefined, 'yes' as const, 'no' as const, 'broken' as const),
      time: clause,
      consensus: fc.constantFrom(undefined, yes, no, needs('cyd'), needs('cyd', 'dee'), atLeast(2)),
    }),
    { maxLength: 4 },
  );
  let refusedBefore = 0;
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(...names),
      fc.subarray(names),
      fc.constantFrom(undefined, ...names),
      (given, name, members, ownUserId) => {
        const about = { rootQuorum: rootOf(...members), ownUserId };
        const policies = given.map(({ later, ...row }, i) => ({ id: `p${i}`, name: '', ...row }));
        const early = policies.map((policy, i) =>
          given[i]?.later === undefined ? policy : { ...policy, condition: absent },
        );
        const whole = policies.map((policy, i) => {
          const later = given[i]?.later;
          return later === undefined ? policy : { ...policy, condition: known[later] };
        });
        const complete = inputOf({ ...about, policies: whole });
        const isWhole = given.every(({ later }) => later === undefined);
        const asker = voter(name);
        if (canAffectOutcome(inputOf({ ...about, policies: early }), asker, isWhole)) return;
        refusedBefore += 1;
        const others = names.filter((each) => each !== name).map(voter);
        assert.equal(decideActivity(complete, [asker], name, () => others).outcome, 'refuse');
        assert.equal(mayVote(complete, asker), false);
      },
    ),
    { numRuns: 3000 },
  );
  assert(refusedBefore > 100);
});

test('a vote affects only policies that allow', () => {
  const rootQuorum = rootOf('ada');
  const matters = (policy: DecidingPolicy, isWhole = true) =>
    canAffectOutcome(inputOf({ rootQuorum, policies: [policy] }), voter('dee'), isWhole);
  assert.equal(matters(allow()), true);
  assert.equal(matters(deny()), false);
  assert.equal(matters(allow({ time: no })), false);
  assert.equal(matters(allow({ condition: no }), false), false);
  assert.equal(matters(allow({ condition: absent }), false), true);
  assert.equal(matters(allow({ condition: absent })), false);
  assert.equal(matters(allow({ consensus: needs('dee', 'cyd') })), true);
  assert.equal(matters(allow({ consensus: needs('cyd') })), false);
});

const yes = clauseOf(() => ({ value: true }));
const no = clauseOf(() => ({ value: false }));
const broken = failing('index_out_of_range');
const absentOutcome: ClauseOutcome = {
  failure: { code: 'namespace_absent', position: 0, message: '' },
};
const absent = clauseOf(() => absentOutcome);

const endless = failing('step_limit');

function failing(code: 'index_out_of_range' | 'step_limit'): DecidingClause {
  return clauseOf(() => ({ failure: { code, position: 0, message: '' } }));
}

function clauseOf(evaluate: DecidingClause['evaluate']): DecidingClause {
  return { evaluate, mentions: () => false };
}

/** Returns a consensus over the ids of the approvers; `concerned` selects the users that it mentions. */
function consensusOf(
  holds: (ids: readonly string[]) => boolean,
  concerned: (id: string) => boolean,
): DecidingClause {
  const ids = (scope: Parameters<DecidingClause['evaluate']>[0]) =>
    (scope['approvers'] as { id: string }[]).map(({ id }) => id);
  return {
    evaluate: (scope) => ({ value: holds(ids(scope)) }),
    mentions: (scope) => ids(scope).some(concerned),
  };
}

function needs(...wanted: string[]): DecidingClause {
  return consensusOf(
    (ids) => wanted.every((id) => ids.includes(id)),
    (id) => wanted.includes(id),
  );
}

function atLeast(count: number): DecidingClause {
  return consensusOf(
    (ids) => ids.length >= count,
    () => true,
  );
}

function exactly(count: number): DecidingClause {
  return consensusOf(
    (ids) => ids.length === count,
    () => true,
  );
}

function allow(clauses: Partial<DecidingPolicy> = {}): DecidingPolicy {
  return { ...noClauses, id: 'allow', effect: 'EFFECT_ALLOW', ...clauses };
}

function deny(clauses: Partial<DecidingPolicy> = {}): DecidingPolicy {
  return { ...noClauses, id: 'deny', effect: 'EFFECT_DENY', ...clauses };
}

const noClauses = { name: '', condition: undefined, consensus: undefined, time: undefined };

function rootOf(...userIds: string[]): RootQuorum {
  return { threshold: userIds.length, userIds };
}

function inputOf(given: {
  rule?: DecisionInput['rule'];
  rootQuorum?: RootQuorum;
  failedDeny?: DecisionInput['failedDeny'] | undefined;
  ownUserId?: string | undefined;
  policies?: readonly DecidingPolicy[];
  scopes?: Parameters<typeof decisionInputOf>[0]['scopes'];
  scopeKey?: () => string;
}): DecisionInput {
  return decisionInputOf({
    rule: 'policy',
    rootQuorum: rootOf('ada', 'bob'),
    failedDeny: undefined,
    ownUserId: undefined,
    policies: [],
    scopes: () => [{}],
    timeScope: {},
    ...given,
  });
}

function voter(name: string): Voter {
  return { userId: name, user: { id: name }, credentials: [] };
}

/** Returns the reason of the decision; the first voter is the submitter, and all four users could vote. */
function decide(given: DecisionInput, voters: readonly string[]): keyof typeof decisionReasons {
  const others = names.filter((name) => !voters.includes(name)).map(voter);
  return decideActivity(given, voters.map(voter), voters[0] ?? '', () => others).reason;
}

function subsets<T>(items: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  const without = subsets(rest);
  return [...without, ...without.map((set) => [first, ...set])];
}
