import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMs, startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeUser, timestampOf } from './user_requests.ts';

const operation = 'get_user';

test('get_user: shows every member, and omits absent contacts', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId, apiKeyId, key } = service.root;
  const createdAt = timestampOf(startMs);
  const answer = await checkQuery(service, {
    operation,
    body: { userId: userId.toUpperCase() },
    malformed: [{ field: 'userId', parameters: { userId: 'x' } }],
  });
  assert.deepEqual(answer, {
    user: {
      userId,
      userName: 'Root user',
      authenticators: [],
      apiKeys: [
        {
          credential: { publicKey: key.publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' },
          apiKeyId,
          apiKeyName: 'Root key',
          createdAt,
          updatedAt: createdAt,
        },
      ],
      userTags: [],
      oauthProviders: [],
      createdAt,
      updatedAt: createdAt,
      mfaPolicies: [],
    },
  });
});

test('get_user: finds users of this organization, and a parent those of its child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeUser(service, 'Of the child', {}, child);
  const { organizationId } = child;
  const { body } = await service.query(operation, { userId: ofChild }, { organizationId });
  assert.equal(body.user.userName, 'Of the child');
  for (const userId of [unknownId, ofChild]) {
    const answer = await service.query(operation, { userId });
    assertRefused(answer, 404, 5);
    assert.match(answer.body.message, /^unable to find user /);
  }
});
