import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  policy,
  policyOrOwnUser,
  rootQuorumOnly,
} from '../../../../src/core/policy/decision/access.ts';

test('what operations declare is what is decided by', () => {
  assert.deepEqual(policy(), { rule: 'policy' });
  assert.deepEqual(rootQuorumOnly(), { rule: 'root_quorum' });
  const submitter = { id: 'eve', name: 'Eve', tagIds: [], createdAtMs: 0, updatedAtMs: 0 };
  const access = policyOrOwnUser(
    (parameters: { readonly userId: string }, user) => `${parameters.userId} for ${user.id}`,
  );
  assert.equal(access.rule, 'policy');
  assert.equal(access.ownUserId({ userId: 'ada' }, submitter), 'ada for eve');
});
