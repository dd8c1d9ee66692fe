// Older activity types of create_sub_organization.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { describedPasskey, queryWithPasskey } from '../authenticators/authenticator_requests.ts';
import { assertRefused, checkRefused } from '../checks.ts';
import { account, minimal, operation, typeOf } from './sub_organization_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test('older types are accepted on the same path, and answered under their own names', async () => {
  const key = (name: string) => ({ apiKeyName: 'Key', publicKey: testKey(name).publicKey });
  const user = { userName: 'Older', userEmail: 'older@example.com', authenticators: [] };
  const withCurve = (name: string) => ({ ...key(name), curveType: 'API_KEY_CURVE_P256' });
  const versions: [string, object, object][] = [
    [
      'V7',
      { ...user, userPhoneNumber: '+12025550123', apiKeys: [withCurve('V7')], oauthProviders: [] },
      { disableSmsAuth: true },
    ],
    ['V6', { ...user, apiKeys: [withCurve('V6')], oauthProviders: [] }, {}],
    ['V5', { ...user, apiKeys: [key('V5')], oauthProviders: [] }, {}],
    ['V4', { ...user, apiKeys: [key('V4')] }, { disableEmailRecovery: true }],
  ];
  for (const [version, root, more] of versions) {
    const parameters = {
      subOrganizationName: version,
      rootUsers: [root],
      rootQuorumThreshold: 1,
      wallet: { walletName: 'Wallet', accounts: [account('m/0')] },
      ...more,
    };
    const { status, body } = await service.submit(operation, typeOf(version), parameters);
    assert.equal(status, 200, `${version}: ${body.message}`);
    const { activity } = body;
    assert.equal(activity.type, typeOf(version));
    assert.deepEqual(activity.intent, { [`createSubOrganizationIntent${version}`]: parameters });
    assert.deepEqual(Object.keys(activity.result), [`createSubOrganizationResult${version}`]);
    const result = activity.result[`createSubOrganizationResult${version}`];
    assert.deepEqual(Object.keys(result), ['subOrganizationId', 'wallet', 'rootUserIds']);
    const as = { organizationId: result.subOrganizationId, key: testKey(version) };
    const whoami = await service.query('whoami', {}, as);
    assert.equal(whoami.body.userId, result.rootUserIds[0], version);
  }
  // Root users whose only credential is a passkey.
  for (const [version, root] of versions) {
    const name = `Passkey of ${version}`;
    const withPasskey = { ...root, apiKeys: [], authenticators: [describedPasskey(name)] };
    const parameters = {
      subOrganizationName: name,
      rootUsers: [withPasskey],
      rootQuorumThreshold: 1,
    };
    const { status, body } = await service.submit(operation, typeOf(version), parameters);
    assert.equal(status, 200, `${version}: ${body.message}`);
    const result = body.activity.result[`createSubOrganizationResult${version}`];
    const as = { organizationId: result.subOrganizationId };
    const whoami = await queryWithPasskey(service, name, 'whoami', {}, as);
    assert.equal(whoami.body.userId, result.rootUserIds[0], version);
  }
  // Each version refuses the members that it does not have.
  const unknown: [string, string, object][] = [
    ['V6', 'disableSmsAuth', { disableSmsAuth: true }],
    ['V4', 'verificationToken', { verificationToken: 'x' }],
    [
      'V5',
      'rootUsers.0.apiKeys.0.curveType',
      { rootUsers: [{ ...user, apiKeys: [withCurve('x')], oauthProviders: [] }] },
    ],
    [
      'V6',
      'rootUsers.0.userPhoneNumber',
      {
        rootUsers: [{ ...user, userPhoneNumber: '+12025550123', apiKeys: [], oauthProviders: [] }],
      },
    ],
    [
      'V4',
      'rootUsers.0.oauthProviders',
      { rootUsers: [{ ...user, apiKeys: [], oauthProviders: [] }] },
    ],
  ];
  for (const [version, field, members] of unknown) {
    const parameters = {
      subOrganizationName: version,
      rootUsers: [],
      rootQuorumThreshold: 1,
      ...members,
    };
    await checkRefused(
      service,
      { operation, type: typeOf(version), parameters },
      { status: 400, code: 3, text: /unknown field/, field: `parameters.${field}` },
    );
  }
});

test('a type without wallets creates root users, optionally with private keys', async () => {
  const root = (version: string) => ({
    userName: 'Older',
    userEmail: 'older@example.com',
    apiKeys: [{ apiKeyName: 'Key', publicKey: testKey(version).publicKey }],
    authenticators: [],
  });
  const privateKey = {
    privateKeyName: 'Key of the start',
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_COMPRESSED'],
  };
  const parametersOf = (version: string, more: object) => ({
    subOrganizationName: version,
    rootUsers: [root(version)],
    rootQuorumThreshold: 1,
    ...more,
  });
  const make = async (version: string, more: object, resultName: string) => {
    const parameters = parametersOf(version, more);
    const { status, body } = await service.submit(operation, typeOf(version), parameters);
    assert.equal(status, 200, `${version}: ${body.message}`);
    assert.deepEqual(body.activity.intent, {
      [`createSubOrganizationIntent${version}`]: parameters,
    });
    assert.deepEqual(Object.keys(body.activity.result), [resultName]);
    return body.activity.result[resultName];
  };
  const second = await make('V2', {}, 'createSubOrganizationResult');
  assert.deepEqual(Object.keys(second), ['subOrganizationId', 'rootUserIds']);
  const third = await make('V3', { privateKeys: [privateKey] }, 'createSubOrganizationResultV3');
  assert.deepEqual(Object.keys(third), ['subOrganizationId', 'privateKeys', 'rootUserIds']);

  for (const [version, result] of Object.entries({ V2: second, V3: third })) {
    const as = { organizationId: result.subOrganizationId, key: testKey(version) };
    assert.equal((await service.query('whoami', {}, as)).body.userId, result.rootUserIds[0]);
    const { body } = await service.query('list_private_keys', {}, as);
    const shown = body.privateKeys.map(
      ({ privateKeyId, addresses }: { privateKeyId: string; addresses: unknown }) => ({
        privateKeyId,
        addresses,
      }),
    );
    assert.deepEqual(shown, version === 'V3' ? third.privateKeys : []);
    assert.equal(shown.length, version === 'V3' ? 1 : 0);
    const { body: wallets } = await service.query('list_wallets', {}, as);
    assert.deepEqual(wallets, { wallets: [] });
  }
  assert.deepEqual(
    third.privateKeys[0].addresses.map(({ format }: { format: string }) => format),
    privateKey.addressFormats,
  );
  // The new organization has no tags yet, so a tag of the parent is unknown there.
  const privateKeyTags = ['01900000-0000-7000-8000-000000000000'];
  await checkRefused(
    service,
    {
      operation,
      type: typeOf('V3'),
      parameters: parametersOf('V3', { privateKeys: [{ ...privateKey, privateKeyTags }] }),
    },
    { status: 404, code: 5, text: /private key tag/ },
  );
  await checkRefused(
    service,
    { operation, type: typeOf('V2'), parameters: parametersOf('V2', { privateKeys: [] }) },
    { status: 400, code: 3, text: /unknown field/, field: 'parameters.privateKeys' },
  );
  await checkRefused(
    service,
    { operation, type: typeOf('V3'), parameters: { ...parametersOf('V3', {}), rootUsers: [] } },
    { status: 400, code: 3, text: /privateKeys/, field: 'parameters.privateKeys' },
  );
});

test('the first type takes a name, and the passkey of its only root user', async () => {
  const first = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION';
  const name = 'Passkey of the first version';
  const parameters = { name: 'The first', rootAuthenticator: describedPasskey(name) };
  const { status, body } = await service.submit(operation, first, parameters);
  assert.equal(status, 200, body.message);
  assert.deepEqual(body.activity.intent, { createSubOrganizationIntent: parameters });
  const { subOrganizationId: organizationId, ...rest } =
    body.activity.result.createSubOrganizationResult;
  assert.deepEqual(Object.keys(rest), ['rootUserIds']);
  const whoami = await queryWithPasskey(service, name, 'whoami', {}, { organizationId });
  assert.deepEqual(whoami.body, {
    organizationId,
    organizationName: 'The first',
    userId: rest.rootUserIds[0],
    username: 'Root user',
  });
  const configs = await service.query('get_organization_configs', {}, { organizationId });
  assert.deepEqual(configs.body.configs.quorum, { threshold: 1, userIds: rest.rootUserIds });
  await checkRefused(
    service,
    { operation, type: first, parameters: { name: 'Nobody' } },
    { status: 400, code: 3, text: /missing/, field: 'parameters.rootAuthenticator' },
  );
  // A type refuses the form of another type. An unknown type is refused with the list of the known ones.
  assertRefused(await service.submit(operation, first, minimal('x')), 400, 3);
  const unknown = await service.submit(operation, typeOf('V9'), minimal('x'));
  assertRefused(unknown, 400, 3);
  assert.match(unknown.body.message, /_V8 or .*_V4 or .*_V3 or .*_V2 or .*ORGANIZATION, got/);
});
