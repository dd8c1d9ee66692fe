import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityStatus } from '../../src/core/base/enums.ts';
import { awaitsCredentials, firstSubmittedWith } from '../../src/pipeline/prepare_waiting.ts';

test('a submitter keeps the right to approve only while own factors are missing', () => {
  const policy = {
    id: 'policy',
    userId: 'user',
    name: 'policy',
    condition: 'true',
    requiredMethods: [],
    order: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
  const demanded = [{ policy, satisfied: true, satisfiedMethods: [] }];
  const shows = (status: ActivityStatus, any: boolean) =>
    awaitsCredentials({ status }, any ? demanded : []);
  assert.equal(shows('ACTIVITY_STATUS_CONSENSUS_NEEDED', false), false);
  assert.equal(shows('ACTIVITY_STATUS_CONSENSUS_NEEDED', true), true);
  assert.equal(shows('ACTIVITY_STATUS_AUTHENTICATORS_NEEDED', false), true);
  assert.equal(shows('ACTIVITY_STATUS_AUTHENTICATORS_NEEDED', true), true);
});

test('a waiting activity is carried out with the first credential of its submitter', () => {
  const shown = (userId: string, credentialId: string) => {
    const method = { type: 'AUTHENTICATION_TYPE_API_KEY' as const, id: credentialId };
    return { userId, credentialId, publicKey: `key of ${credentialId}`, method, createdAtMs: 0 };
  };
  const proofs = [shown('voter', 'other'), shown('submitter', 'one'), shown('submitter', 'two')];
  const first = firstSubmittedWith({ votes: [], proofs, submitterId: 'submitter' });
  assert.deepEqual([first.credentialId, first.publicKey], ['one', 'key of one']);
  const gone = firstSubmittedWith({ votes: [], proofs, submitterId: 'nobody' });
  assert.deepEqual([gone.credentialId, gone.publicKey], ['', '']);
});
