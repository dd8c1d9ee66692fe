import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeMfaPolicy } from './mfa_requests.ts';

test('get_mfa_policies: lists policies in the order of their evaluation', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice');
  await makeMfaPolicy(service, await makeUser(service, 'Bob'));
  const ids: string[] = [];
  for (const order of [2, 0, 1, 0]) ids.push(await makeMfaPolicy(service, userId, { order }));
  const malformed = [{ field: 'userId', parameters: { userId: 'x' } }];
  const body = { userId };
  const answer = await checkQuery(service, { operation: 'get_mfa_policies', body, malformed });
  assert.deepEqual(
    answer.mfaPolicies.map((policy: { mfaPolicyId: string }) => policy.mfaPolicyId),
    [1, 3, 2, 0].map((i) => ids[i]),
  );
  assertRefused(await service.query('get_mfa_policies', { userId: unknownId }), 404, 5);
});
