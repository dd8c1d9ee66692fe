// Requests to each path of the specification over HTTP. The answer shows that the path has the operation, and
// that neighbouring paths have none.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ApiKeyStamper } from '@turnkey/api-key-stamper';
import { type Members, statement } from '../conformance/statement.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import { describedKey } from '../operations/users/user_requests.ts';
import { newApiKey, timestampMs } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId, userId, authProxyConfigId, authProxyUrl } = service.credentials;
const { baseUrl } = service;
const stamper = new ApiKeyStamper(service.credentials);

/** Sends a stamped request to a path, as bytes of JSON. */
async function post(path: string, content: object) {
  const body = JSON.stringify({ organizationId, ...content });
  const { stampHeaderName, stampHeaderValue } = await stamper.stamp(body);
  const headers = { 'content-type': 'application/json', [stampHeaderName]: stampHeaderValue };
  const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as Members };
}

const submit = (operation: string, type: string, parameters: object) =>
  post(`/public/v1/submit/${operation}`, {
    type: `ACTIVITY_TYPE_${type}`,
    timestampMs: timestampMs(),
    parameters,
  });

async function made(operation: string, type: string, parameters: object): Promise<Members> {
  const { status, body } = await submit(operation, type, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  return Object.values(body['activity'].result)[0] as Members;
}

const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
};
const { walletId, addresses } = await made('create_wallet', 'CREATE_WALLET', {
  walletName: 'Wallet',
  accounts: [account],
});
const [address] = addresses;
const { accounts } = (await post('/public/v1/query/list_wallet_accounts', { walletId })).body;
const { privateKeys } = await made('create_private_keys', 'CREATE_PRIVATE_KEYS_V2', {
  privateKeys: [
    { privateKeyName: 'K', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] },
  ],
});
const { policyId } = await made('create_policy', 'CREATE_POLICY_V3', {
  policyName: 'P',
  effect: 'EFFECT_ALLOW',
  condition: 'false',
  notes: '',
});
const { userIds } = await made('create_users', 'CREATE_USERS_V4', {
  users: [
    {
      userName: 'Ada',
      userTags: [],
      authenticators: [],
      oauthProviders: [],
      apiKeys: [describedKey('ada')],
    },
  ],
});
const [adaId] = userIds;
const { publicKey } = describedKey('session');
const { apiKeyId } = (await post('/public/v1/query/get_api_keys', { userId })).body['apiKeys'][0];

/** Sends a request whose answer shows that it reached this operation. */
function submitPath(
  id: string,
  operation: string,
  type: string,
  parameters: object,
  refusal?: RegExp,
) {
  statement(id, `POST /public/v1/submit/${operation} is this operation`, async () => {
    const { status, body } = await submit(operation, type, parameters);
    if (refusal === undefined) {
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body['activity'].type, `ACTIVITY_TYPE_${type}`);
    } else assert.match(body['message'], refusal);
    await assertOnlyHere('submit', 'query', operation);
  });
}

function queryPath(id: string, operation: string, content: object, member: string) {
  statement(id, `POST /public/v1/query/${operation} is this operation`, async () => {
    const { status, body } = await post(`/public/v1/query/${operation}`, content);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(member in body);
    await assertOnlyHere('query', 'submit', operation);
  });
}

/** Requires that the operation has only this path, by POST. */
async function assertOnlyHere(kind: string, other: string, operation: string): Promise<void> {
  const path = `/public/v1/${kind}/${operation}`;
  assert.equal((await fetch(`${baseUrl}${path}`)).status, 405, path);
  for (const wrong of [
    `/public/v1/${other}/${operation}`,
    `/public/v2/${kind}/${operation}`,
    `/v1/${kind}/${operation}`,
    `/${kind}/${operation}`,
    `${path}_`,
  ]) {
    assert.equal((await post(wrong, {})).status, 404, wrong);
  }
}

const invalidToken = /^invalid OIDC token/;
submitPath(
  'OP-OAUTH-01',
  'oauth',
  'OAUTH',
  { oidcToken: 'x.y.z', targetPublicKey: publicKey },
  /OIDC|targetPublicKey/,
);
submitPath(
  'OP-OAUTH-LOGIN-01',
  'oauth_login',
  'OAUTH_LOGIN',
  { oidcToken: 'x.y.z', publicKey },
  invalidToken,
);
submitPath('OP-SIGN-01', 'sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', {
  signWith: address,
  payload: '00'.repeat(32),
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
});
submitPath('OP-UPDATE-USER-01', 'update_user', 'UPDATE_USER', { userId: adaId, userName: 'Ada L' });
submitPath('OP-UPDATE-USER-EMAIL-01', 'update_user_email', 'UPDATE_USER_EMAIL', {
  userId: adaId,
  userEmail: 'ada@example.com',
});
submitPath(
  'OP-RECOVER-01',
  'recover_user',
  'RECOVER_USER',
  { userId: adaId, authenticator: describedPasskey('recovers') },
  /^recovery by e-mail is disabled/,
);
submitPath(
  'OP-CREATE-OAUTH-PROVIDERS-01',
  'create_oauth_providers',
  'CREATE_OAUTH_PROVIDERS_V2',
  { userId: adaId, oauthProviders: [{ providerName: 'P', oidcToken: 'x.y.z' }] },
  invalidToken,
);
submitPath('OP-UPDATE-POLICY-01', 'update_policy', 'UPDATE_POLICY_V2', {
  policyId,
  policyName: 'Q',
});
submitPath('OP-SET-FEATURE-01', 'set_organization_feature', 'SET_ORGANIZATION_FEATURE', {
  name: 'FEATURE_NAME_WEBHOOK',
  value: 'https://hooks.example/',
});
submitPath('OP-UPDATE-WALLET-01', 'update_wallet', 'UPDATE_WALLET', { walletId, walletName: 'W' });
submitPath('OP-UPDATE-ORG-NAME-01', 'update_organization_name', 'UPDATE_ORGANIZATION_NAME', {
  organizationName: 'Renamed',
});
submitPath('OP-READ-ONLY-SESSION-01', 'create_read_only_session', 'CREATE_READ_ONLY_SESSION', {});
submitPath('OP-INIT-IMPORT-01', 'init_import_private_key', 'INIT_IMPORT_PRIVATE_KEY', { userId });
submitPath(
  'OP-RESTORE-TVC-01',
  'restore_tvc_deployment',
  'RESTORE_TVC_DEPLOYMENT',
  { deploymentId: randomUUID() },
  /deployment/,
);

queryPath('Q-API-KEY-01', 'get_api_key', { apiKeyId }, 'apiKey');
queryPath(
  'Q-PRIVATE-KEY-01',
  'get_private_key',
  { privateKeyId: privateKeys[0].privateKeyId },
  'privateKey',
);
queryPath('Q-WALLET-ACCOUNT-01', 'get_wallet_account', { walletId, address }, 'account');
queryPath('Q-AUTHENTICATORS-01', 'get_authenticators', { userId }, 'authenticators');
queryPath('Q-OAUTH-PROVIDERS-01', 'get_oauth_providers', {}, 'oauthProviders');
queryPath('Q-WEBHOOK-ENDPOINTS-01', 'list_webhook_endpoints', {}, 'webhookEndpoints');

// This activity is the last one, because the queries read the account.
submitPath('OP-DELETE-WALLET-ACCOUNTS-01', 'delete_wallet_accounts', 'DELETE_WALLET_ACCOUNTS', {
  walletAccountIds: [accounts[0].walletAccountId],
  deleteWithoutExport: true,
});

/** Sends a request of a page. */
const proxy = (path: string, init: { body?: string; method?: string; configId?: string } = {}) =>
  fetch(`${authProxyUrl}${path}`, {
    method: init.method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      ...(init.configId === undefined ? {} : { 'x-auth-proxy-config-id': init.configId }),
    },
    ...(init.method === 'GET' ? {} : { body: init.body ?? '{}' }),
  });
const signUp = () => {
  const apiKeys = [describedKey(`signs up ${newApiKey().apiPublicKey}`)];
  return JSON.stringify({ apiKeys, authenticators: [], oauthProviders: [] });
};
statement('SIGNUP-01 SVC-09 SVC-01', 'POST /v1/signup_v2 of the proxy signs up', async () => {
  const answer = await proxy('/v1/signup_v2', { body: signUp(), configId: authProxyConfigId });
  assert.equal(answer.status, 200, await answer.clone().text());
  const made = await answer.json();
  const { organizationIds } = (await post('/public/v1/query/list_suborgs', {})).body;
  assert.ok(organizationIds.includes(made.organizationId));
  const get = await proxy('/v1/signup_v2', { method: 'GET', configId: authProxyConfigId });
  assert.equal(get.status, 405);
});
statement(
  'VER-02',
  'the version on the proxy is the segment /v1/, and there is no other',
  async () => {
    const ask = async (path: string) =>
      (await proxy(path, { body: signUp(), configId: authProxyConfigId })).status;
    assert.equal(await ask('/v1/signup_v2'), 200);
    for (const path of ['/v2/signup_v2', '/signup_v2', '/v/signup_v2', '/V1/signup_v2', '/v1']) {
      assert.equal(await ask(path), 404, path);
    }
  },
);
statement(
  'VER-01',
  'the version of the interface is the segment /public/v1/, and there is no other',
  async () => {
    assert.equal((await post('/public/v1/query/whoami', {})).status, 200);
    for (const path of ['/public/v2/query/whoami', '/public/query/whoami', '/v1/query/whoami']) {
      assert.equal((await post(path, {})).status, 404, path);
    }
  },
);
statement('SVC-04', 'calls are POST requests with bodies of JSON', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    for (const path of ['/public/v1/query/whoami', '/public/v1/submit/create_wallet']) {
      assert.equal((await fetch(`${baseUrl}${path}`, { method })).status, 405, `${method} ${path}`);
    }
  }
  const body = `organizationId=${organizationId}`;
  const { stampHeaderName, stampHeaderValue } = await stamper.stamp(body);
  const headers = { 'content-type': 'application/json', [stampHeaderName]: stampHeaderValue };
  const answer = await fetch(`${baseUrl}/public/v1/query/whoami`, {
    method: 'POST',
    headers,
    body,
  });
  assert.equal(answer.status, 400);
});
statement('SVC-05', 'activities are submitted under /public/v1/submit/', async () => {
  const { body } = await submit('update_wallet', 'UPDATE_WALLET', { walletId, walletName: 'V' });
  assert.equal(body['activity'].type, 'ACTIVITY_TYPE_UPDATE_WALLET');
  assert.equal((await post('/public/v1/query/update_wallet', { walletId })).status, 404);
});
statement('SVC-07', 'queries are sent under /public/v1/query/', async () => {
  assert.equal((await post('/public/v1/query/get_wallet', { walletId })).status, 200);
  assert.equal((await post('/public/v1/submit/get_wallet', { walletId })).status, 404);
});

const jwks = '/public/v1/discovery/webhooks/jwks';
statement('DISC-01 SVC-11', 'GET of the key set answers keys', async () => {
  const answer = await fetch(`${baseUrl}${jwks}`);
  assert.equal(answer.status, 200);
  assert.ok((await answer.json()).keys.length > 0);
  assert.equal((await fetch(`${baseUrl}${jwks}`, { method: 'POST' })).status, 405);
});
statement('DISC-02 AUTH-07', 'the key set takes no credential, and passes over one', async () => {
  assert.equal((await fetch(`${baseUrl}${jwks}`)).status, 200);
  const headers = { 'x-stamp': 'nonsense' };
  assert.equal((await fetch(`${baseUrl}${jwks}`, { headers })).status, 200);
});
statement('DISC-13', 'the key set names its cache lifetime', async () => {
  const answer = await fetch(`${baseUrl}${jwks}`);
  assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=[1-9]\d*(,|$)/);
});
statement('SHAPE-04', 'over HTTP too, an activity comes in its envelope', async () => {
  const { body } = await submit('update_wallet', 'UPDATE_WALLET', { walletId, walletName: 'U' });
  assert.deepEqual(Object.keys(body), ['activity']);
});
