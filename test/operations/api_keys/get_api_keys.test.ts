import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { describedKey, makeUser, shownUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeApiKeys } from './api_key_requests.ts';

const operation = 'get_api_keys';

test('get_api_keys: lists the keys of one user or of all, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const alice = await makeUser(service, 'Alice');
  await makeUser(service, 'Bob');
  const expired = describedKey('Second', { expirationSeconds: '1' });
  await makeApiKeys(service, alice, [expired]);
  service.advance(5000);
  const answer = await checkQuery(service, {
    operation,
    body: { userId: alice.toUpperCase() },
    optional: ['userId'],
    malformed: [{ field: 'userId', parameters: { userId: 'x' } }],
  });
  // Expired keys are included.
  assert.deepEqual(answer, { apiKeys: (await shownUser(service, alice)).apiKeys });
  assert.equal(answer.apiKeys.length, 2);

  const namesIn = async (organizationId: string) => {
    const { body } = await service.query(operation, {}, { organizationId });
    return body.apiKeys.map((key: { apiKeyName: string }) => key.apiKeyName);
  };
  // `checkQuery` added the last user.
  const expected = ['Root key', 'Alice', 'Bob', 'Second', 'Plain user key'];
  assert.deepEqual(await namesIn(service.root.organizationId), expected);
  assert.deepEqual(await namesIn(child.organizationId), ['Child root key', 'Of the child']);
  for (const userId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { userId }), 404, 5);
  }
});
