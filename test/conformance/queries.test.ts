// Every statement of the specification about queries and the records in their answers, on a service in
// memory. test/e2e/paths.test.ts sends requests to the paths over HTTP.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { addressOf } from '../../src/core/address/index.ts';
import { startTenants, type Tenant, type Tenants, tenantAccount } from '../hostile/tenants.ts';
import { targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { testKey } from '../support/harness.ts';
import { childOf, startWorlds, text } from './operation_statements.ts';
import {
  assertAccepted,
  assertNames,
  checkOptional,
  checkRequired,
  type Members,
  otherThan,
  statement,
} from './statement.ts';

const worlds = startWorlds(startTenants, after);

/** Sends a query as the root user of a child. */
function ask(tenants: Tenants, operation: string, body: Members) {
  const { organizationId, key } = childOf(tenants);
  return tenants.service.query(operation, body, { organizationId, key });
}

async function submit(tenants: Tenants, operation: string, type: string, parameters: Members) {
  const { organizationId, key } = childOf(tenants);
  const as = { organizationId, key };
  const answer = await tenants.service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);
  assertAccepted(answer);
  return Object.values(answer.body.activity.result)[0] as Members;
}

/** Returns statements about one query and the record in its answer. */
function queryOf(
  operation: string,
  sample: (of: Tenant) => Members,
  found: (body: Members) => Members,
) {
  const body = () => sample(childOf(worlds().tried));
  const send = (given: Members) => ask(worlds().tried, operation, given);
  async function record(): Promise<Members> {
    const answer = await send(body());
    assertAccepted(answer);
    return found(answer.body);
  }
  return {
    body,
    send,
    record,
    organizationId(ids: string): void {
      statement(ids, `${operation} needs organizationId`, async () => {
        const { organizationId } = childOf(worlds().tried);
        for (const wrong of [undefined, null, 1, '', 'x', {}, ['text']]) {
          const answer = await send({ ...body(), organizationId: wrong });
          assertNames(answer, 'organizationId', wrong);
        }
        assertAccepted(await send({ ...body(), organizationId }));
      });
    },
    required(ids: string, path: string, wrong: readonly unknown[]): void {
      statement(ids, `${operation} needs ${path}`, () =>
        checkRequired(send, body(), path, path, wrong),
      );
    },
    optional(ids: string, path: string, good: readonly unknown[], wrong: readonly unknown[]): void {
      statement(ids, `${operation} may have ${path}`, () =>
        checkOptional(send, body(), path, path, good, wrong),
      );
    },
    /** States the only member of the answer. */
    response(ids: string, name: string): void {
      statement(ids, `${operation} answers ${name} alone`, async () => {
        const answer = await send(body());
        assert.deepEqual(Object.keys(answer.body), [name]);
        assert.ok(Object.keys(found(answer.body)).length > 0);
      });
    },
    /** States a member of the record. */
    shows(ids: string, name: string, check: (value: Members, of: Tenant) => void): void {
      statement(ids, `a record of ${operation} shows ${name}`, async () => {
        const shown = await record();
        assert.ok(name in shown, JSON.stringify(shown));
        check(shown[name], childOf(worlds().tried));
      });
    },
  };
}

const equals =
  (wanted: (of: Tenant) => unknown) =>
  (value: unknown, of: Tenant): void =>
    assert.deepEqual(value, wanted(of));
const timestamp = (value: Members): void => {
  assert.deepEqual(Object.keys(value).sort(), ['nanos', 'seconds']);
  assert.match(value['seconds'], /^\d{10}$/);
  assert.match(value['nanos'], /^\d{1,9}$/);
};
const only = (list: readonly Members[]): Members => {
  const [one] = list;
  assert(one !== undefined);
  return one;
};

// API keys
const apiKey = queryOf(
  'get_api_key',
  ({ apiKeyId }) => ({ apiKeyId }),
  (body) => body['apiKey'],
);
apiKey.organizationId('Q-API-KEY-02');
apiKey.required('Q-API-KEY-03', 'apiKeyId', [...otherThan.text, '', 'key']);
apiKey.response('Q-API-KEY-04 RES-API-KEY-01', 'apiKey');
apiKey.shows('RES-API-KEY-02', 'credential', (value, of) =>
  assert.deepEqual(value, { publicKey: of.userPublicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' }),
);
apiKey.shows('SHAPE-05', 'credential', ({ publicKey }, of) =>
  assert.equal(publicKey, of.userPublicKey),
);
apiKey.shows('SHAPE-06', 'credential', ({ type }) =>
  assert.equal(type, 'CREDENTIAL_TYPE_API_KEY_P256'),
);
apiKey.shows(
  'RES-API-KEY-03',
  'apiKeyId',
  equals((of) => of.apiKeyId),
);
apiKey.shows('RES-API-KEY-04', 'apiKeyName', text);
apiKey.shows('RES-API-KEY-05', 'createdAt', timestamp);
apiKey.shows('RES-API-KEY-06', 'updatedAt', timestamp);
apiKey.shows('SHAPE-01', 'createdAt', ({ seconds }) => assert.match(seconds, /^\d{10}$/));
apiKey.shows('SHAPE-02', 'createdAt', ({ nanos }) => assert.match(nanos, /^\d{1,9}$/));
statement('RES-API-KEY-07', 'the seconds that a key lasts, of keys that end alone', async () => {
  const { userId } = childOf(worlds().done);
  const described = (name: string, more: object) => ({
    apiKeyName: name,
    publicKey: testKey(name).publicKey,
    curveType: 'API_KEY_CURVE_P256',
    ...more,
  });
  const { apiKeyIds } = await submit(worlds().done, 'create_api_keys', 'CREATE_API_KEYS_V2', {
    userId,
    apiKeys: [described('lasting', {}), described('ending', { expirationSeconds: '3600' })],
  });
  const shown = await Promise.all(
    apiKeyIds.map(
      async (apiKeyId: string) =>
        (await ask(worlds().done, 'get_api_key', { apiKeyId })).body.apiKey,
    ),
  );
  assert.deepEqual(
    shown.map((key) => key.expirationSeconds),
    [undefined, '3600'],
  );
});

// Private keys
const privateKey = queryOf(
  'get_private_key',
  ({ privateKeyId }) => ({ privateKeyId }),
  (body) => body['privateKey'],
);
privateKey.organizationId('Q-PRIVATE-KEY-02');
privateKey.required('Q-PRIVATE-KEY-03', 'privateKeyId', [...otherThan.text, '', 'key']);
privateKey.response('Q-PRIVATE-KEY-04 RES-PRIVATE-KEY-01', 'privateKey');
privateKey.shows(
  'RES-PRIVATE-KEY-02',
  'privateKeyId',
  equals((of) => of.privateKeyId),
);
privateKey.shows('RES-PRIVATE-KEY-03', 'publicKey', (value) =>
  assert.match(String(value), /^0[23][0-9a-f]{64}$/),
);
privateKey.shows(
  'RES-PRIVATE-KEY-04',
  'privateKeyName',
  equals(() => 'Private key of child'),
);
privateKey.shows(
  'RES-PRIVATE-KEY-05',
  'curve',
  equals(() => 'CURVE_SECP256K1'),
);
privateKey.shows('RES-PRIVATE-KEY-06', 'addresses', (value) =>
  assert.ok(Array.isArray(value) && value.length === 1),
);
privateKey.shows('RES-PRIVATE-KEY-07', 'addresses', (value) =>
  assert.equal(value[0].format, 'ADDRESS_FORMAT_ETHEREUM'),
);
statement(
  'RES-PRIVATE-KEY-08',
  'an address is the one of the public key in its format',
  async () => {
    const { publicKey, addresses } = await privateKey.record();
    const point = Uint8Array.fromHex(publicKey);
    assert.equal(
      addresses[0].address,
      addressOf('ADDRESS_FORMAT_ETHEREUM', 'CURVE_SECP256K1', point),
    );
  },
);
privateKey.shows(
  'RES-PRIVATE-KEY-09',
  'privateKeyTags',
  equals((of) => [of.privateKeyTagId]),
);
privateKey.shows('RES-PRIVATE-KEY-10', 'createdAt', timestamp);
privateKey.shows('RES-PRIVATE-KEY-11', 'updatedAt', timestamp);
statement('RES-PRIVATE-KEY-12 STATE-05', 'a private key is marked once it has left', async () => {
  const { privateKeyId } = childOf(worlds().done);
  const marks = async () => {
    const { exported, imported } = (await ask(worlds().done, 'get_private_key', { privateKeyId }))
      .body.privateKey;
    return { exported, imported };
  };
  assert.deepEqual(await marks(), { exported: false, imported: false });
  const parameters = { privateKeyId, targetPublicKey };
  await submit(worlds().done, 'export_private_key', 'EXPORT_PRIVATE_KEY', parameters);
  assert.deepEqual(await marks(), { exported: true, imported: false });
});
statement(
  'RES-PRIVATE-KEY-13',
  'a private key that came in is marked, another is not',
  async () => {
    const { rootUserId: userId, sealedPrivateKey: encryptedBundle } = childOf(worlds().done);
    const { privateKeyId } = await submit(
      worlds().done,
      'import_private_key',
      'IMPORT_PRIVATE_KEY',
      {
        userId,
        privateKeyName: 'Came in',
        encryptedBundle,
        curve: 'CURVE_SECP256K1',
        addressFormats: [],
      },
    );
    const shown = async (id: string) =>
      (await ask(worlds().done, 'get_private_key', { privateKeyId: id })).body.privateKey.imported;
    assert.equal(await shown(privateKeyId), true);
    assert.equal(await shown(childOf(worlds().done).privateKeyId), false);
  },
);

// Wallet accounts
const account = queryOf(
  'get_wallet_account',
  ({ walletId, address }) => ({ walletId, address, path: tenantAccount().path }),
  (body) => body['account'],
);
account.organizationId('Q-WALLET-ACCOUNT-02');
account.required('Q-WALLET-ACCOUNT-03', 'walletId', [...otherThan.text, '', 'wallet']);
account.optional('Q-WALLET-ACCOUNT-04', 'address', [], otherThan.text.slice(1));
account.optional('Q-WALLET-ACCOUNT-05', 'path', [], otherThan.text.slice(1));
account.response('Q-WALLET-ACCOUNT-06 RES-WALLET-ACCOUNT-01', 'account');
account.shows(
  'RES-WALLET-ACCOUNT-02',
  'walletAccountId',
  equals((of) => of.walletAccountId),
);
account.shows(
  'RES-WALLET-ACCOUNT-03',
  'organizationId',
  equals((of) => of.organizationId),
);
account.shows(
  'RES-WALLET-ACCOUNT-04',
  'walletId',
  equals((of) => of.walletId),
);
account.shows(
  'RES-WALLET-ACCOUNT-05',
  'curve',
  equals(() => 'CURVE_SECP256K1'),
);
account.shows(
  'RES-WALLET-ACCOUNT-06 ENUM-03',
  'pathFormat',
  equals(() => 'PATH_FORMAT_BIP32'),
);
account.shows(
  'RES-WALLET-ACCOUNT-07',
  'path',
  equals(() => tenantAccount().path),
);
account.shows(
  'RES-WALLET-ACCOUNT-08',
  'addressFormat',
  equals(() => 'ADDRESS_FORMAT_ETHEREUM'),
);
account.shows(
  'RES-WALLET-ACCOUNT-09',
  'address',
  equals((of) => of.address),
);
account.shows('RES-WALLET-ACCOUNT-11', 'createdAt', timestamp);
account.shows('RES-WALLET-ACCOUNT-12', 'updatedAt', timestamp);
statement(
  'RES-WALLET-ACCOUNT-13',
  'the public key of an account is the one of its address',
  async () => {
    const { publicKey, address } = await account.record();
    const point = Uint8Array.fromHex(publicKey);
    assert.equal(addressOf('ADDRESS_FORMAT_ETHEREUM', 'CURVE_SECP256K1', point), address);
  },
);
async function accountsWith(tenants: Tenants, includeWalletDetails: boolean): Promise<Members[]> {
  const { walletId } = childOf(tenants);
  const answer = await ask(tenants, 'list_wallet_accounts', { walletId, includeWalletDetails });
  return answer.body.accounts;
}
const detailsOf = async (tenants: Tenants): Promise<Members> =>
  only(await accountsWith(tenants, true))['walletDetails'];
statement(
  'RES-WALLET-ACCOUNT-14',
  'details of the wallet are there where they are asked for',
  async () => {
    assert.ok(!('walletDetails' in only(await accountsWith(worlds().tried, false))));
    assert.ok('walletDetails' in only(await accountsWith(worlds().tried, true)));
  },
);
statement('RES-WALLET-ACCOUNT-15', 'details name the wallet', async () => {
  assert.equal((await detailsOf(worlds().tried))['walletId'], childOf(worlds().tried).walletId);
});
statement('RES-WALLET-ACCOUNT-16', 'details have the name of the wallet', async () => {
  assert.equal((await detailsOf(worlds().tried))['walletName'], 'Wallet of child');
});
statement(
  'RES-WALLET-ACCOUNT-17',
  'details have the time at which the wallet was made',
  async () => {
    timestamp((await detailsOf(worlds().tried))['createdAt']);
  },
);
statement(
  'RES-WALLET-ACCOUNT-18',
  'details have the time at which the wallet was changed',
  async () => {
    timestamp((await detailsOf(worlds().tried))['updatedAt']);
  },
);
statement('RES-WALLET-ACCOUNT-19 STATE-04', 'a wallet is marked once it has left', async () => {
  assert.equal((await detailsOf(worlds().done))['exported'], false);
  const { walletId } = childOf(worlds().done);
  await submit(worlds().done, 'export_wallet', 'EXPORT_WALLET', { walletId, targetPublicKey });
  assert.equal((await detailsOf(worlds().done))['exported'], true);
  const { exported, imported } = (await ask(worlds().done, 'get_wallet', { walletId })).body.wallet;
  assert.deepEqual({ exported, imported }, { exported: true, imported: false });
});
statement('RES-WALLET-ACCOUNT-20', 'a wallet that came in is marked, another is not', async () => {
  assert.equal((await detailsOf(worlds().done))['imported'], false);
  const { rootUserId: userId, sealedWallet: encryptedBundle } = childOf(worlds().done);
  const { walletId } = await submit(worlds().done, 'import_wallet', 'IMPORT_WALLET', {
    userId,
    walletName: 'Came in',
    encryptedBundle,
    accounts: [tenantAccount()],
  });
  const body = { walletId, includeWalletDetails: true };
  const { accounts } = (await ask(worlds().done, 'list_wallet_accounts', body)).body;
  assert.equal(only(accounts)['walletDetails'].imported, true);
});
const named = (walletId: string, index: number, name?: string) => ({
  walletId,
  accounts: [{ ...tenantAccount(index), ...(name === undefined ? {} : { name }) }],
});
statement('RES-WALLET-ACCOUNT-21', 'an account has a name where it was given one', async () => {
  const { walletId } = childOf(worlds().done);
  const made = await submit(
    worlds().done,
    'create_wallet_accounts',
    'CREATE_WALLET_ACCOUNTS',
    named(walletId, 7, 'Named'),
  );
  const [address] = made['addresses'];
  const shown = async (of: string) =>
    (await ask(worlds().done, 'get_wallet_account', { walletId, address: of })).body.account;
  assert.equal((await shown(address)).name, 'Named');
  assert.ok(!('name' in (await shown(childOf(worlds().done).address))));
});
statement(
  'RES-WALLET-ACCOUNT-22',
  'the name of an account is unique in the organization',
  async () => {
    const { walletId, organizationId, key } = childOf(worlds().done);
    const other = await submit(worlds().done, 'create_wallet', 'CREATE_WALLET', {
      walletName: 'Another wallet',
      accounts: [{ ...tenantAccount(), name: 'Unique' }],
    });
    for (const id of [walletId, other['walletId']]) {
      const answer = await worlds().done.service.submit(
        'create_wallet_accounts',
        'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
        named(id, 8, 'Unique'),
        { organizationId, key },
      );
      assert.ok([400, 409].includes(answer.status), JSON.stringify(answer.body));
      assert.match(answer.body.message, /Unique/);
    }
  },
);

// Authenticators
const authenticator = queryOf(
  'get_authenticators',
  ({ userId }) => ({ userId }),
  (body) => only(body['authenticators']),
);
authenticator.organizationId('Q-AUTHENTICATORS-02');
authenticator.required('Q-AUTHENTICATORS-03', 'userId', [...otherThan.text, '', 'user']);
authenticator.response('Q-AUTHENTICATORS-04 RES-AUTHENTICATOR-01', 'authenticators');
authenticator.shows(
  'RES-AUTHENTICATOR-02',
  'transports',
  equals(() => ['AUTHENTICATOR_TRANSPORT_INTERNAL']),
);
authenticator.shows(
  'RES-AUTHENTICATOR-03',
  'attestationType',
  equals(() => 'none'),
);
authenticator.shows(
  'RES-AUTHENTICATOR-04',
  'aaguid',
  equals(() => Buffer.alloc(16).toString('base64url')),
);
authenticator.shows(
  'RES-AUTHENTICATOR-05',
  'credentialId',
  equals((of) => of.credentialId),
);
authenticator.shows('RES-AUTHENTICATOR-06', 'model', text);
authenticator.shows('RES-AUTHENTICATOR-07', 'credential', ({ publicKey, type }) => {
  text(publicKey);
  assert.equal(type, 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR');
});
authenticator.shows(
  'RES-AUTHENTICATOR-08',
  'authenticatorId',
  equals((of) => of.authenticatorId),
);
authenticator.shows(
  'RES-AUTHENTICATOR-09',
  'authenticatorName',
  equals(() => 'Passkey of child'),
);
authenticator.shows('RES-AUTHENTICATOR-10', 'createdAt', timestamp);
authenticator.shows('RES-AUTHENTICATOR-11', 'updatedAt', timestamp);

// OAuth providers
const provider = queryOf(
  'get_oauth_providers',
  ({ userId }) => ({ userId }),
  (body) => only(body['oauthProviders']),
);
provider.organizationId('Q-OAUTH-PROVIDERS-02');
provider.optional('Q-OAUTH-PROVIDERS-03', 'userId', [], [...otherThan.text.slice(1), '', 'user']);
provider.response('Q-OAUTH-PROVIDERS-04 RES-OAUTH-PROVIDER-01', 'oauthProviders');
provider.shows(
  'RES-OAUTH-PROVIDER-02',
  'providerId',
  equals((of) => of.oauthProviderId),
);
provider.shows(
  'RES-OAUTH-PROVIDER-03',
  'providerName',
  equals(() => 'Account of child'),
);
provider.shows(
  'RES-OAUTH-PROVIDER-04',
  'issuer',
  equals(() => 'https://issuer.test'),
);
provider.shows(
  'RES-OAUTH-PROVIDER-05',
  'audience',
  equals(() => 'app'),
);
provider.shows(
  'RES-OAUTH-PROVIDER-06',
  'subject',
  equals(() => 'user of child'),
);
provider.shows('RES-OAUTH-PROVIDER-07', 'createdAt', timestamp);
provider.shows('RES-OAUTH-PROVIDER-08', 'updatedAt', timestamp);

// Webhook endpoints
const endpoint = queryOf(
  'list_webhook_endpoints',
  () => ({}),
  (body) => only(body['webhookEndpoints']),
);
endpoint.organizationId('Q-WEBHOOK-ENDPOINTS-02');
endpoint.response('Q-WEBHOOK-ENDPOINTS-03 RES-WEBHOOK-ENDPOINT-01', 'webhookEndpoints');
endpoint.shows(
  'RES-WEBHOOK-ENDPOINT-02',
  'endpointId',
  equals((of) => of.webhookEndpointId),
);
endpoint.shows(
  'RES-WEBHOOK-ENDPOINT-03',
  'organizationId',
  equals((of) => of.organizationId),
);
endpoint.shows('RES-WEBHOOK-ENDPOINT-04', 'url', (value) => assert.match(String(value), /^https:/));
endpoint.shows(
  'RES-WEBHOOK-ENDPOINT-05',
  'name',
  equals(() => 'Hook of child'),
);
endpoint.shows(
  'RES-WEBHOOK-ENDPOINT-06',
  'isActive',
  equals(() => true),
);
endpoint.shows('RES-WEBHOOK-ENDPOINT-07', 'subscriptions', (value) =>
  assert.equal(value['length'], 1),
);
/** Returns the subscriptions of a new endpoint that was created with these, from a query. */
async function subscribed(subscriptions: readonly Members[] | undefined): Promise<Members[]> {
  const url = 'https://receiver.example/other';
  const { endpointId } = await submit(
    worlds().done,
    'create_webhook_endpoint',
    'CREATE_WEBHOOK_ENDPOINT',
    { url, name: 'Other', ...(subscriptions === undefined ? {} : { subscriptions }) },
  );
  const { webhookEndpoints } = (await ask(worlds().done, 'list_webhook_endpoints', {})).body;
  const made = webhookEndpoints.find((each: Members) => each['endpointId'] === endpointId);
  await submit(worlds().done, 'delete_webhook_endpoint', 'DELETE_WEBHOOK_ENDPOINT', { endpointId });
  return made.subscriptions;
}
statement('RES-WEBHOOK-ENDPOINT-08', 'a subscription names its type of event', async () => {
  const [shown] = await subscribed([{ eventType: 'ACTIVITY_UPDATES' }]);
  assert.equal(shown?.['eventType'], 'ACTIVITY_UPDATES');
});
statement(
  'RES-WEBHOOK-ENDPOINT-09',
  'a subscription has its filters where it was given some',
  async () => {
    const filtersJson = '{"activityTypes":["ACTIVITY_TYPE_CREATE_WALLET"]}';
    const [filtered, all] = await subscribed([
      { eventType: 'ACTIVITY_UPDATES', filtersJson },
      { eventType: 'ACTIVITY_UPDATES' },
    ]);
    assert.deepEqual([filtered?.['filtersJson'], all?.['filtersJson']], [filtersJson, undefined]);
  },
);
statement('RES-WEBHOOK-ENDPOINT-10', 'a subscription says whether it is active', async () => {
  const shown = await subscribed([
    { eventType: 'ACTIVITY_UPDATES', isActive: false },
    { eventType: 'ACTIVITY_UPDATES', filtersJson: '{}' },
  ]);
  assert.deepEqual(
    shown.map(({ isActive }) => isActive),
    [false, true],
  );
});

// Queries in general
statement('Q-01', 'a query body carries no type, timestampMs or parameters', async () => {
  for (const query of [apiKey, privateKey, account, authenticator, provider, endpoint]) {
    for (const name of ['type', 'timestampMs', 'parameters']) {
      assertNames(await query.send({ ...query.body(), [name]: '1' }), name, '1');
    }
  }
});
statement('Q-02', 'the fields of a query body sit at the top level', async () => {
  for (const query of [apiKey, privateKey, account, authenticator]) {
    const [[name = '', value] = []] = Object.entries(query.body());
    assertNames(await query.send({ body: { [name]: value } }), name in {} ? name : 'body', value);
  }
});
statement('SVC-08', 'a query answers the resource itself, and nothing changes', async () => {
  const before = await worlds().tried.stored();
  for (const query of [apiKey, privateKey, account, authenticator, provider, endpoint]) {
    const answer = await query.send(query.body());
    assertAccepted(answer);
    assert.ok(!('activity' in answer.body));
  }
  assert.equal(await worlds().tried.stored(), before);
});
statement('SHAPE-03', 'times in the results of queries are Timestamp objects', async () => {
  for (const query of [apiKey, privateKey, account, authenticator, provider]) {
    const shown = await query.record();
    for (const name of ['createdAt', 'updatedAt']) timestamp(shown[name]);
  }
});
