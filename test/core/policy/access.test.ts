import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RootQuorum } from '../../../src/core/model.ts';
import { emptySmallState, type OrganizationView, viewOf } from '../../../src/core/organization.ts';
import {
  type Access,
  decide,
  policy,
  policyOrOwnUser,
  rootQuorumOnly,
} from '../../../src/core/policy/access.ts';

function organizationWith(rootQuorum: RootQuorum): OrganizationView {
  const head = { name: 'o', rootQuorum, features: [], createdAtMs: 1, updatedAtMs: 1 };
  return viewOf({ id: 'o', parentId: undefined, version: 1, head, records: emptySmallState() });
}

const users = ['ada', 'bob', 'cyd', 'dee', '__proto__'];
const someUsers = fc.uniqueArray(fc.constantFrom(...users));
const rules = fc.constantFrom<Access<never>['rule']>('policy', 'root_quorum');

test('allowed is what the root quorum agrees on, or what a user does to itself; nothing else', () => {
  fc.assert(
    fc.property(
      fc.nat(6),
      someUsers,
      fc.array(fc.constantFrom(...users)),
      fc.option(fc.constantFrom(...users), { nil: undefined }),
      rules,
      (threshold, userIds, approverIds, ownUserId, rule) => {
        const decision = decide({
          organization: organizationWith({ threshold, userIds }),
          rule,
          approverIds,
          ownUserId,
          facts: {},
        });
        const quorum = new Set(userIds).intersection(new Set(approverIds)).size;
        const isOwn = rule === 'policy' && approverIds.some((id) => id === ownUserId);
        if (threshold > 0 && quorum >= threshold) {
          assert.deepEqual(decision, { outcome: 'allow', by: 'root_quorum' });
        } else if (isOwn) {
          assert.deepEqual(decision, { outcome: 'allow', by: 'own_user' });
        } else {
          assert.deepEqual(decision, {
            outcome: 'refuse',
            reason: 'No policies evaluated to outcome: Allow',
            evaluations: [],
          });
        }
      },
    ),
    { numRuns: 500 },
  );
});

const outcomeOf = (
  rootQuorum: RootQuorum,
  approverIds: readonly string[],
  rule: Access<never>['rule'] = 'policy',
  ownUserId?: string,
) =>
  decide({ organization: organizationWith(rootQuorum), rule, approverIds, ownUserId, facts: {} })
    .outcome;

test('a quorum is reached at its threshold, by different members', () => {
  const quorum = { threshold: 2, userIds: ['ada', 'bob', 'cyd'] };
  assert.equal(outcomeOf(quorum, []), 'refuse');
  assert.equal(outcomeOf(quorum, ['ada']), 'refuse');
  assert.equal(outcomeOf(quorum, ['ada', 'ada']), 'refuse');
  assert.equal(outcomeOf(quorum, ['ada', 'dee']), 'refuse');
  assert.equal(outcomeOf(quorum, ['ada', 'cyd']), 'allow');
  assert.equal(outcomeOf(quorum, ['ada', 'bob', 'cyd']), 'allow');
});

test('a quorum that nobody has named yet is reached by nobody', () => {
  assert.equal(outcomeOf({ threshold: 0, userIds: [] }, []), 'refuse');
  assert.equal(outcomeOf({ threshold: 0, userIds: [] }, ['ada']), 'refuse');
  assert.equal(outcomeOf({ threshold: 0, userIds: ['ada'] }, ['ada']), 'refuse');
});

test('what only the root quorum may do, no user may do to itself', () => {
  const quorum = { threshold: 1, userIds: ['ada'] };
  assert.equal(outcomeOf(quorum, ['bob'], 'policy', 'bob'), 'allow');
  assert.equal(outcomeOf(quorum, ['bob'], 'root_quorum', 'bob'), 'refuse');
  assert.equal(outcomeOf(quorum, ['ada'], 'root_quorum'), 'allow');
});

test('what operations declare is what is decided by', () => {
  assert.deepEqual(policy(), { rule: 'policy' });
  assert.deepEqual(rootQuorumOnly(), { rule: 'root_quorum' });
  const access = policyOrOwnUser((parameters: { readonly userId: string }) => parameters.userId);
  assert.equal(access.rule, 'policy');
  assert.equal(access.ownUserId({ userId: 'ada' }), 'ada');
});
