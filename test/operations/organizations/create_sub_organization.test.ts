import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stampOf, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, publish } from '../../support/identity_provider.ts';
import { describedPasskey, queryWithPasskey } from '../authenticators/authenticator_requests.ts';
import {
  activityBody,
  assertRefused,
  assertViolation,
  checkActivity,
  checkRefused,
  storedCount,
} from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import {
  account,
  apiKey,
  minimal,
  operation,
  rootUser,
  type,
} from './sub_organization_requests.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

async function create(parameters: object) {
  const { status, body } = await service.submit(operation, type, parameters);
  assert.equal(status, 200, body.message);
  return body.activity.result.createSubOrganizationResultV8;
}

const childCount = async () => {
  const page = { paginationOptions: { limit: '100' } };
  return (await service.query('list_suborgs', page)).body.organizationIds.length;
};

test('a sub-organization is created with its users, quorum and wallet in one step', async () => {
  const parameters = {
    subOrganizationName: 'Whole',
    rootUsers: [
      rootUser('First', { userEmail: 'First@example.com' }),
      rootUser('Second', { userPhoneNumber: '+12025550123', apiKeys: [] }),
    ],
    rootQuorumThreshold: 2,
    wallet: {
      walletName: 'First wallet',
      accounts: [account('m/0'), account('m/1', { name: 'Savings' })],
      mnemonicLength: 24,
    },
    disableEmailAuth: true,
  };
  const user = (more: object) => ({ ...parameters, rootUsers: [rootUser('x', more)] });
  const field = (path: string) => `parameters.${path}`;
  const result = await checkActivity(service, {
    operation,
    type,
    intent: 'createSubOrganizationIntentV8',
    result: 'createSubOrganizationResultV8',
    parameters,
    optional: ['wallet', 'disableEmailAuth'],
    malformed: [
      {
        field: field('subOrganizationName'),
        parameters: { ...parameters, subOrganizationName: '' },
      },
      { field: field('rootUsers.0.apiKeys'), parameters: user({ apiKeys: undefined }) },
      {
        field: field('rootUsers.0.authenticators'),
        parameters: user({ authenticators: undefined }),
      },
      {
        field: field('rootUsers.0.oauthProviders'),
        parameters: user({ oauthProviders: undefined }),
      },
      { field: field('rootUsers.0.userTags'), parameters: user({ userTags: [] }) },
      { field: field('rootUsers.0.userPhoneNumber'), parameters: user({ userPhoneNumber: '1' }) },
      {
        field: field('rootUsers.0.apiKeys.0.publicKey'),
        parameters: user({ apiKeys: [apiKey(testKey('x'), { publicKey: '02' })] }),
      },
      {
        field: field('wallet.mnemonicLength'),
        parameters: { ...parameters, wallet: { ...parameters.wallet, mnemonicLength: 13 } },
      },
      {
        field: field('wallet.accounts.0.path'),
        parameters: { ...parameters, wallet: { walletName: 'x', accounts: [account('x')] } },
      },
      {
        field: field('rootUsers'),
        parameters: { ...parameters, rootUsers: Array(101).fill(rootUser('x')) },
      },
    ],
  });
  const { subOrganizationId: organizationId, wallet, rootUserIds } = result;
  assert.deepEqual(Object.keys(result), ['subOrganizationId', 'wallet', 'rootUserIds']);
  assert.deepEqual(Object.keys(wallet), ['walletId', 'addresses']);

  const as = { organizationId };
  const { users } = (await service.query('list_users', {}, as)).body;
  type Listed = { userId: string; userName: string; userEmail?: string; userPhoneNumber?: string };
  const named = users.map(({ userId, userName, userEmail, userPhoneNumber }: Listed) => [
    userId,
    userName,
    userEmail,
    userPhoneNumber,
  ]);
  assert.deepEqual(named, [
    [rootUserIds[0], 'First', 'First@example.com', undefined],
    [rootUserIds[1], 'Second', undefined, '+12025550123'],
  ]);
  const { configs } = (await service.query('get_organization_configs', {}, as)).body;
  assert.deepEqual(configs, {
    features: [
      { name: 'FEATURE_NAME_EMAIL_RECOVERY' },
      { name: 'FEATURE_NAME_SMS_AUTH' },
      { name: 'FEATURE_NAME_OTP_EMAIL_AUTH' },
    ],
    quorum: { threshold: 2, userIds: rootUserIds },
  });
  const { wallets } = (await service.query('list_wallets', {}, as)).body;
  assert.equal(wallets[0].walletId, wallet.walletId);
  const { accounts } = (await service.query('list_wallet_accounts', {}, as)).body;
  type Account = { address: string; organizationId: string };
  assert.deepEqual(
    accounts.map(({ address }: Account) => address),
    wallet.addresses,
  );
  assert.ok(accounts.every((of: Account) => of.organizationId === organizationId));

  // The activity belongs to the parent; the list of the child starts empty.
  assert.deepEqual((await service.query('list_activities', {}, as)).body.activities, []);
  const ofParent = (await service.query('list_activities')).body.activities;
  assert.equal(ofParent[0].type, type);
  assert.equal(ofParent[0].organizationId, service.root.organizationId);
});

test('features are enabled unless a request disables them one by one', async () => {
  const features: [string, string][] = [
    ['disableEmailAuth', 'FEATURE_NAME_EMAIL_AUTH'],
    ['disableEmailRecovery', 'FEATURE_NAME_EMAIL_RECOVERY'],
    ['disableSmsAuth', 'FEATURE_NAME_SMS_AUTH'],
    ['disableOtpEmailAuth', 'FEATURE_NAME_OTP_EMAIL_AUTH'],
  ];
  const featuresOf = async (switches: object) => {
    const name = `Features ${JSON.stringify(switches)}`;
    const { subOrganizationId } = await create({ ...minimal(name), ...switches });
    const as = { organizationId: subOrganizationId };
    const { configs } = (await service.query('get_organization_configs', {}, as)).body;
    return configs.features.map((feature: { name: string }) => feature.name);
  };
  const names = features.map(([, name]) => name);
  assert.deepEqual(await featuresOf({}), names);
  for (const [flag, feature] of features) {
    const others = names.filter((name) => name !== feature);
    assert.deepEqual(await featuresOf({ [flag]: true }), others);
    assert.deepEqual(await featuresOf({ [flag]: false }), names);
  }
  const all = Object.fromEntries(features.map(([flag]) => [flag, true]));
  assert.deepEqual(await featuresOf(all), []);
});

test('a contact counts as a credential only if its login is enabled', async () => {
  const withUser = (more: object, switches: object = {}) => ({
    ...minimal('Contacts'),
    rootUsers: [rootUser('Contact', { apiKeys: [], ...more })],
    ...switches,
  });
  const off = { disableEmailAuth: true, disableOtpEmailAuth: true };
  const email = { userEmail: 'a@example.com' };
  const phone = { userPhoneNumber: '+12025550123' };
  await create(withUser(email, { disableEmailAuth: true }));
  await create(withUser(phone, off));
  const expiring = { apiKeys: [apiKey(testKey('expiring'), { expirationSeconds: '900' })] };
  const without = [
    withUser({}),
    withUser(email, off),
    withUser(phone, { disableSmsAuth: true }),
    withUser(expiring),
  ];
  for (const parameters of without) {
    await checkRefused(
      service,
      { operation, type, parameters },
      { status: 400, code: 3, text: /^user missing valid credential: / },
    );
  }
});

test('a quorum that can never be reached is refused, and no child is created', async () => {
  const before = await childCount();
  const two = [rootUser('One'), rootUser('Two')];
  const cases: [object, RegExp, string][] = [
    [
      { rootQuorumThreshold: 0 },
      /^quorum threshold must be non-zero integer/,
      'rootQuorumThreshold',
    ],
    [{ rootUsers: [] }, /^quorum users missing/, 'rootUsers'],
    [{ rootUsers: [], rootQuorumThreshold: 0 }, /^quorum threshold must be/, 'rootQuorumThreshold'],
    [
      { rootUsers: two, rootQuorumThreshold: 3 },
      /at most the number of its users, 2/,
      'rootQuorumThreshold',
    ],
  ];
  for (const [members, text, field] of cases) {
    await checkRefused(
      service,
      { operation, type, parameters: { ...minimal('Quorum'), ...members } },
      { status: 400, code: 3, text, field: `parameters.${field}` },
    );
  }
  assert.equal(await childCount(), before);
});

test('a request with one invalid part changes nothing', async () => {
  const before = await childCount();
  const same = testKey('same');
  const accounts = [account('m/0'), account('m/0')];
  const wrong: [object, number, number, RegExp][] = [
    [{ wallet: { walletName: 'x', accounts } }, 409, 6, /already exists/],
    [
      {
        rootUsers: [
          rootUser('a', { apiKeys: [apiKey(same)] }),
          rootUser('b', { apiKeys: [apiKey(same)] }),
        ],
      },
      409,
      6,
      /already exists/,
    ],
    [{ rootUsers: [rootUser('a', { userEmail: 'nobody' })] }, 400, 3, /^invalid email address/],
  ];
  for (const [members, status, code, text] of wrong) {
    const parameters = { ...minimal('Partly'), ...members };
    await checkRefused(service, { operation, type, parameters }, { status, code, text });
  }
  assert.equal(await childCount(), before);
  const filter = { filterType: 'NAME', filterValue: 'Partly' };
  assert.deepEqual((await service.query('list_suborgs', filter)).body.organizationIds, []);
});

test('passkeys of root users are registered if the parent allows their origin', async (t) => {
  const own = await startTestService();
  t.after(() => own.close());
  const origin = 'https://wallet.example';
  const options = { rpId: 'wallet.example', origin };
  const rootUsers = [
    rootUser('First', { apiKeys: [], authenticators: [describedPasskey('First', options)] }),
    rootUser('Second', { apiKeys: [], authenticators: [describedPasskey('Second', options)] }),
  ];
  const parameters = { ...minimal('Passkeys'), rootUsers, rootQuorumThreshold: 2 };
  const feature = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://other.example' };
  const setFeature = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE';
  const set = (value: string) =>
    own.submit('set_organization_feature', setFeature, { ...feature, value });
  assert.equal((await set('https://other.example')).status, 200);
  const refused = await own.submit(operation, type, parameters);
  assertViolation(refused, 'parameters.rootUsers.0.authenticators.0.attestation.clientDataJson');
  assert.equal((await set(origin)).status, 200);
  const { status, body } = await own.submit(operation, type, parameters);
  assert.equal(status, 200, body.message);
  const result = body.activity.result.createSubOrganizationResultV8;
  const as = { ...options, organizationId: result.subOrganizationId };
  for (const [i, name] of ['First', 'Second'].entries()) {
    const whoami = await queryWithPasskey(own, name, 'whoami', {}, as);
    assert.equal(whoami.body.userId, result.rootUserIds[i]);
  }
  // Another child may have the same passkeys; one child may not have them twice.
  assert.equal((await own.submit(operation, type, parameters)).status, 200);
  const twice = { ...parameters, rootUsers: [rootUsers[0], rootUsers[0]] };
  assertRefused(await own.submit(operation, type, twice), 409, 6);
});

test('root users are registered with their accounts at identity providers', async () => {
  const issuer = createTestIssuer();
  publish(service, issuer);
  const oidcToken = issuer.token(service, { sub: 'ada' });
  const rootUsers = [
    rootUser('Ada', {
      apiKeys: [],
      oauthProviders: [
        { providerName: 'App', oidcToken },
        { providerName: 'Web', oidcClaims: { iss: issuer.issuer, sub: 'ada', aud: 'web' } },
      ],
    }),
  ];
  const parameters = { ...minimal('With providers'), rootUsers };
  const { subOrganizationId: organizationId, rootUserIds } = await create(parameters);
  const shown = await service.query('get_oauth_providers', {}, { organizationId });
  assert.deepEqual(
    shown.body.oauthProviders.map((each: { audience: string }) => each.audience),
    ['app', 'web'],
  );
  const { body } = await service.query('get_user', { userId: rootUserIds[0] }, { organizationId });
  assert.deepEqual(body.user.oauthProviders, shown.body.oauthProviders);
  const invalid = [rootUser('Eve', { oauthProviders: [{ providerName: 'App', oidcToken: 'x' }] })];
  const refusal = {
    status: 400,
    code: 3,
    text: /^invalid OIDC token: /,
    clientCode: 'INVALID_OIDC_TOKEN',
  };
  const refused = { ...minimal('Refused'), rootUsers: invalid };
  await checkRefused(service, { operation, type, parameters: refused }, refusal);
});

test('a child has no children', async () => {
  const child = await addChild(service);
  const answer = await service.submit(operation, type, minimal('Grandchild'), child);
  assertRefused(answer, 403, 7);
  assert.equal(answer.body.turnkeyErrorCode, 'INVALID_ACTIVITY_CALLER');
  assert.match(answer.body.message, /^request not authorized: a sub-organization cannot have sub-/);
  assert.deepEqual((await service.query('list_suborgs', {}, child)).body.organizationIds, []);
});

test('the parent reads its child and never writes to it', async () => {
  const { subOrganizationId: organizationId } = await create(minimal('Watched'));
  const own = { organizationId, key: testKey('Watched root') };
  const wallet = { walletName: 'Own', accounts: [] };
  const createWallet = (as: object) =>
    service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet, as);
  assert.equal((await createWallet(own)).status, 200);
  const refused = await createWallet({ organizationId });
  assertRefused(refused, 400, 3);
  assert.match(refused.body.message, /^organization mismatch: request is targeting organization/);
  for (const query of [
    'list_wallets',
    'list_users',
    'list_activities',
    'get_organization_configs',
  ]) {
    const answer = await service.query(query, {}, { organizationId });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer, await service.query(query, {}, own));
  }
});

test('concurrent copies of one body create one child', async () => {
  const before = await childCount();
  const stored = await storedCount(service);
  const body = activityBody(service, type, minimal('Once'));
  const copies = Array.from({ length: 5 }, () =>
    service.send('submit', operation, body, [stampOf(body, service.root.key)]),
  );
  const answers = await Promise.all(copies);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(await childCount(), before + 1);
  assert.equal((await storedCount(service)).activities, stored.activities + 1);
});

test('a member of a quorum of two creates no child alone', async () => {
  await changeOrganization(service, (draft) => {
    const rootQuorum = { threshold: 2, userIds: draft.head.rootQuorum.userIds };
    draft.setHead({ rootQuorum });
  });
  const { body } = await service.submit(operation, type, minimal('Alone'));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { body: list } = await service.query('list_suborgs', {
    filterType: 'NAME',
    filterValue: 'Alone',
  });
  assert.deepEqual(list.organizationIds, []);
});
