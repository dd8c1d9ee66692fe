// Q-OAUTH-PROVIDERS-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

const operation = 'get_oauth_providers';

test('get_oauth_providers: none of a user who exists, or of all', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  // Q-OAUTH-PROVIDERS-02, Q-OAUTH-PROVIDERS-03
  const body = { userId: service.root.userId };
  const malformed = [{ field: 'userId', parameters: { userId: 'x' } }];
  const answer = await checkQuery(service, { operation, body, optional: ['userId'], malformed });
  assert.deepEqual(answer, { oauthProviders: [] }); // Q-OAUTH-PROVIDERS-04
  assert.deepEqual((await service.query(operation)).body, { oauthProviders: [] });
  const ofChild = await makeUser(service, 'Of the child', {}, await addChild(service));
  for (const userId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { userId }), 404, 5);
  }
});
