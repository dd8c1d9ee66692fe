import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeUserTag, shownUser } from './user_requests.ts';

const wire = {
  operation: 'create_api_only_users',
  type: 'ACTIVITY_TYPE_CREATE_API_ONLY_USERS',
  intent: 'createApiOnlyUsersIntent',
  result: 'createApiOnlyUsersResult',
};

const key = (name: string, more: object = {}) => ({
  apiKeyName: name,
  publicKey: testKey(name).publicKey,
  ...more,
});
const user = (name: string, changes: object = {}) => ({
  userName: name,
  userTags: [],
  apiKeys: [key(name)],
  ...changes,
});

test('create_api_only_users: creates users with P-256 keys, tags and an address', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tag = await makeUserTag(service, 'Machines');
  const broken = (changes: object) => ({ apiOnlyUsers: [user('First'), user('Other', changes)] });
  const field = 'parameters.apiOnlyUsers.1';
  const { userIds } = await checkActivity(service, {
    ...wire,
    parameters: {
      apiOnlyUsers: [
        user('Signer', {
          userEmail: 'Signer@example.com',
          userTags: [tag],
          apiKeys: [key('Signer'), key('Short', { expirationSeconds: '900' })],
        }),
        user('Reader'),
      ],
    },
    malformed: [
      { field: 'parameters.apiOnlyUsers', parameters: { apiOnlyUsers: [] } },
      { field: `${field}.userName`, parameters: broken({ userName: '' }) },
      { field: `${field}.userTags.0`, parameters: broken({ userTags: ['x'] }) },
      { field: `${field}.apiKeys`, parameters: broken({ apiKeys: undefined }) },
      { field: `${field}.userEmail`, parameters: broken({ userEmail: 'nobody' }) },
      { field: `${field}.authenticators`, parameters: broken({ authenticators: [] }) },
      {
        field: `${field}.apiKeys.0.curveType`,
        parameters: broken({ apiKeys: [key('Other', { curveType: 'API_KEY_CURVE_ED25519' })] }),
      },
    ],
  });
  assert.equal(userIds.length, 2);
  const shown = await shownUser(service, userIds[0]);
  assert.equal(shown.userName, 'Signer');
  assert.equal(shown.userEmail, 'Signer@example.com');
  assert.deepEqual(shown.userTags, [tag]);
  assert.deepEqual(
    shown.apiKeys.map(({ credential, apiKeyName, expirationSeconds }: never) => [
      credential,
      apiKeyName,
      expirationSeconds,
    ]),
    [
      [
        { publicKey: testKey('Signer').publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' },
        'Signer',
        undefined,
      ],
      [
        { publicKey: testKey('Short').publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' },
        'Short',
        '900',
      ],
    ],
  );
  const whoami = await service.query('whoami', {}, { key: testKey('Reader') });
  assert.equal(whoami.body.userId, userIds[1]);
});

test('create_api_only_users: refuses what create_users refuses, all or none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const refused = (changes: object, status: number, code: number, text: RegExp) =>
    checkRefused(
      service,
      { ...wire, parameters: { apiOnlyUsers: [user('First'), user('Other', changes)] } },
      { status, code, text },
    );
  await refused({ apiKeys: [] }, 400, 3, /user missing valid credential/);
  await refused(
    { apiKeys: [key('Other', { expirationSeconds: '900' })] },
    400,
    3,
    /only api keys that expire/,
  );
  await refused({ apiKeys: [key('First')] }, 409, 6, /already exists/);
  await refused({ userTags: [unknownId] }, 404, 5, /user tag/);
  const { body } = await service.query('list_users');
  assert.equal(body.users.length, 1);
});
