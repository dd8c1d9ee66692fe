// Q-API-KEY-01
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMs, startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { describedKey, makeUser, timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeApiKeys } from './api_key_requests.ts';

const operation = 'get_api_key';

test('get_api_key: shows every member, and the lifetime only of expiring keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { apiKeyId, userId, key } = service.root;
  const type = 'CREDENTIAL_TYPE_API_KEY_P256';
  const createdAt = timestampOf(startMs);
  // Q-API-KEY-02, Q-API-KEY-03
  const body = { apiKeyId: apiKeyId.toUpperCase() };
  const malformed = [{ field: 'apiKeyId', parameters: { apiKeyId: 'x' } }];
  // Q-API-KEY-04, RES-API-KEY-01 to RES-API-KEY-06
  assert.deepEqual(await checkQuery(service, { operation, body, malformed }), {
    apiKey: {
      credential: { publicKey: key.publicKey, type },
      apiKeyId,
      apiKeyName: 'Root key',
      createdAt,
      updatedAt: createdAt,
    },
  });
  const [expiring] = await makeApiKeys(service, userId, [
    describedKey('Expiring', { expirationSeconds: '900' }),
  ]);
  const answer = await service.query(operation, { apiKeyId: expiring });
  assert.equal(answer.body.apiKey.expirationSeconds, '900'); // RES-API-KEY-07
});

test('get_api_key: finds keys of this organization, and a parent those of its child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const userId = await makeUser(service, 'Of the child', {}, child);
  const [ofChild] = await makeApiKeys(service, userId, [describedKey('Second')], child);
  const { organizationId } = child;
  const { body } = await service.query(operation, { apiKeyId: ofChild }, { organizationId });
  assert.equal(body.apiKey.apiKeyName, 'Second');
  for (const apiKeyId of [unknownId, ofChild]) {
    const answer = await service.query(operation, { apiKeyId });
    assertRefused(answer, 404, 5);
    assert.match(answer.body.message, /^unable to find API key /);
  }
});
