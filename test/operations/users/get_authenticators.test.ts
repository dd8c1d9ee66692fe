// Q-AUTHENTICATORS-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeUser } from './user_requests.ts';

const operation = 'get_authenticators';

test('get_authenticators: none of a user who exists', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  // Q-AUTHENTICATORS-02, Q-AUTHENTICATORS-03
  const body = { userId: service.root.userId };
  const malformed = [{ field: 'userId', parameters: { userId: 'x' } }];
  const answer = await checkQuery(service, { operation, body, malformed });
  assert.deepEqual(answer, { authenticators: [] }); // Q-AUTHENTICATORS-04
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  for (const userId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { userId }), 404, 5);
  }
});
