import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeUser, timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { apiKey, makeMfaPolicy, passkey, stepsOf } from './mfa_requests.ts';

test('get_mfa_policy: shows one policy of a user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  const bob = await makeUser(service, 'Bob');
  const mfaPolicyId = await makeMfaPolicy(service, userId);
  const madeAt = timestampOf(service.now());
  const body = { userId, mfaPolicyId };
  const malformed = [{ field: 'mfaPolicyId', parameters: { userId, mfaPolicyId: 'x' } }];
  const answer = await checkQuery(service, { operation: 'get_mfa_policy', body, malformed });
  assert.deepEqual(answer.mfaPolicy, {
    mfaPolicyId,
    mfaPolicyName: 'Two factors',
    condition: 'true',
    requiredAuthenticationMethods: stepsOf([apiKey], [passkey]),
    order: 0,
    createdAt: madeAt,
    updatedAt: madeAt,
  });
  for (const other of [
    { userId: bob, mfaPolicyId },
    { userId, mfaPolicyId: unknownId },
  ]) {
    assertRefused(await service.query('get_mfa_policy', other), 404, 5);
  }
});
