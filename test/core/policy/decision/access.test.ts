import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  actions,
  ownUserOrRootQuorum,
  policyOrOwnUser,
  resources,
  rootQuorumOnly,
} from '../../../../src/core/policy/decision/access.ts';
import { activityOperations } from '../../../../src/operations/index.ts';

test('resources and actions are exactly those of operations', () => {
  const subjects = Object.values(activityOperations).map(({ subject }) => subject);
  const own = new Set<string>(subjects.map(({ resource }) => resource));
  assert.deepEqual([...own].sort(), [...resources].sort());
  const done = new Set<string>(subjects.map(({ action }) => action));
  assert.deepEqual([...done].sort(), [...actions].sort());
});

test('the decision uses the rules that operations declare', () => {
  assert.deepEqual(activityOperations['create_wallet']?.access, { rule: 'policy' });
  assert.deepEqual(rootQuorumOnly(), { rule: 'root_quorum' });
  const submitter = { id: 'eve', name: 'Eve', tagIds: [], createdAtMs: 0, updatedAtMs: 0 };
  const access = policyOrOwnUser(
    (parameters: { readonly userId: string }, user) => `${parameters.userId} for ${user.id}`,
  );
  assert.equal(access.rule, 'policy');
  assert.equal(access.ownUserId({ userId: 'ada' }, submitter), 'ada for eve');
  const own = ownUserOrRootQuorum(access.ownUserId);
  assert.deepEqual(own, { ...access, othersNeedRootQuorum: true });
});
