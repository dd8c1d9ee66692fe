// Every statement of the specification about signing up, at the onboarding proxy of a service in memory.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { callProxy, nobody, startProxyService } from '../operations/auth_proxy/proxy_requests.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import { usageSignature, verifiedToken } from '../operations/one_time_codes/otp_requests.ts';
import { describedKey } from '../operations/users/user_requests.ts';
import { openedSentence, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { type TestAnswer, type TestService, testKey } from '../support/harness.ts';
import { createTestIssuer, publish } from '../support/identity_provider.ts';
import { text, uuid } from './operation_statements.ts';
import {
  assertAccepted,
  assertNames,
  changed,
  type Members,
  otherThan,
  statement,
} from './statement.ts';

let service: TestService;
const issuer = createTestIssuer();
before(async () => {
  service = await startProxyService();
  publish(service, issuer);
});
after(() => service.close());

const send = (body: Members): Promise<TestAnswer> => callProxy(service, 'signup_v2', body);
let serial = 0;
const account = () => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  name: 'Savings',
});

/**
 * Returns a sign-up with every member that depends on no other service. Each has its own key and passkey.
 */
function full(): Members & { keyName: string; body: Members } {
  serial += 1;
  const keyName = `signs up ${serial}`;
  const { authenticatorName, challenge, attestation } = describedPasskey(keyName);
  const body = {
    userEmail: `user${serial}@example.com`,
    userPhoneNumber: '+4930123456',
    userTag: 'Tag',
    userName: 'Ada',
    organizationName: 'Ada’s wallet',
    apiKeys: [describedKey(keyName), describedKey(`${keyName} ends`, { expirationSeconds: '60' })],
    authenticators: [{ authenticatorName, challenge, attestation }],
    oauthProviders: [],
    wallet: { walletName: 'Main', accounts: [account()], mnemonicLength: 12 },
  };
  return { keyName, body };
}

/** Returns the outcome of a sign-up, as its own user sees it. */
async function shown(given: { keyName: string; body: Members }) {
  const answer = await send(given.body);
  assertAccepted(answer);
  const { organizationId } = answer.body;
  const as = { organizationId, key: testKey(given.keyName) };
  const ask = async (operation: string, body: object = {}) =>
    (await service.query(operation, body, as)).body;
  const [user] = (await ask('list_users')).users;
  return { answer: answer.body, user, ask, as };
}

/** States a required member of a body that is otherwise valid. */
function required(ids: string, path: string, wrong: readonly unknown[]): void {
  statement(ids, `signup_v2 needs ${path}`, async () => {
    for (const value of [undefined, ...wrong]) {
      assertNames(await send(changed(full().body, path, value)), path, value);
    }
    assertAccepted(await send(full().body));
  });
}

/** States an optional member with its type; `check` examines its effect. */
function optional(
  ids: string,
  path: string,
  wrong: readonly unknown[],
  check: (made: Awaited<ReturnType<typeof shown>>) => Promise<void> | void,
): void {
  statement(ids, `signup_v2 may have ${path}`, async () => {
    for (const value of wrong) {
      assertNames(await send(changed(full().body, path, value)), path, value);
    }
    assertAccepted(await send(changed(full().body, path, undefined)));
    await check(await shown(full()));
  });
}

statement('SIGNUP-02', 'a sign-up makes an organization of its own for a new user', async () => {
  const { user, answer, ask } = await shown(full());
  assert.equal(user.userId, answer.userId);
  const { configs } = await ask('get_organization_configs');
  assert.deepEqual(configs.quorum, { threshold: 1, userIds: [answer.userId] });
  assert.notEqual(answer.organizationId, service.root.organizationId);
});
statement(
  'SIGNUP-03 AUTH-06 SVC-10',
  'a sign-up names a configuration, and needs no stamp',
  async () => {
    const { body } = full();
    const { authProxyConfigId: configId } = service.root;
    for (const wrong of [undefined, '', 'x', service.root.organizationId]) {
      const answer = await callProxy(service, 'signup_v2', body, { configId: wrong });
      assert.ok(answer.status >= 400 && answer.status < 500, JSON.stringify(answer.body));
    }
    assertAccepted(await callProxy(service, 'signup_v2', body, { configId }));
  },
);
const words = otherThan.text.slice(1);
optional('SIGNUP-04', 'userEmail', words, ({ user }) =>
  assert.match(user.userEmail, /^user\d+@example.com$/),
);
optional('SIGNUP-05', 'userPhoneNumber', words, ({ user }) =>
  assert.equal(user.userPhoneNumber, '+4930123456'),
);
optional('SIGNUP-06', 'userTag', words, async ({ user, ask }) => {
  const { userTags } = await ask('list_user_tags');
  assert.deepEqual(
    userTags.map((tag: Members) => [tag['tagId'], tag['tagName']]),
    [[user.userTags[0], 'Tag']],
  );
});
optional('SIGNUP-07', 'userName', words, ({ user }) => assert.equal(user.userName, 'Ada'));
optional('SIGNUP-08', 'organizationName', words, async ({ ask }) =>
  assert.equal((await ask('whoami')).organizationName, 'Ada’s wallet'),
);
statement(
  'SIGNUP-09',
  'a verification token is a text, and shows who holds the contact',
  async () => {
    for (const wrong of words) {
      const body = { ...full().body, verificationToken: wrong };
      assertNames(await send(body), 'verificationToken', wrong);
    }
    const contact = 'verified@example.com';
    const token = await verifiedToken(service, { changes: { contact } });
    const usage = { type: 'USAGE_TYPE_SIGNUP', signupV2: { email: contact } };
    const clientSignature = usageSignature(token, usage);
    const body = { ...nobody, userEmail: contact, verificationToken: token, clientSignature };
    assert.equal((await send({ ...body, verificationToken: 'x.y.z' })).status, 400);
    assertAccepted(await send(body));
    const filter = { filterType: 'EMAIL', filterValue: contact };
    const { organizationIds } = (await service.query('list_verified_suborgs', filter)).body;
    assert.equal(organizationIds.length, 1);
  },
);
const lists = otherThan.list;
required('SIGNUP-10', 'apiKeys', lists);
statement('SIGNUP-11', 'apiKeys are empty when unused', async () => {
  const { apiKeys: _, ...body } = full().body;
  assertAccepted(await send({ ...body, apiKeys: [] }));
});
required('SIGNUP-12', 'apiKeys.0.apiKeyName', otherThan.text);
required('SIGNUP-13', 'apiKeys.0.publicKey', [...otherThan.text, 'zz']);
required('SIGNUP-14', 'apiKeys.0.curveType', [...otherThan.text, 'P256']);
optional('SIGNUP-15', 'apiKeys.1.expirationSeconds', [...words, 'x'], ({ user }) =>
  assert.deepEqual(
    user.apiKeys.map((key: Members) => key['expirationSeconds']),
    [undefined, '60'],
  ),
);
required('SIGNUP-16', 'authenticators', lists);
statement('SIGNUP-17', 'authenticators are empty when unused', async () => {
  assertAccepted(await send({ ...full().body, authenticators: [] }));
});
required('SIGNUP-18', 'authenticators.0.authenticatorName', otherThan.text);
required('SIGNUP-19', 'authenticators.0.challenge', otherThan.text);
required('SIGNUP-20', 'authenticators.0.attestation', otherThan.object);
statement('SIGNUP-21', 'an attestation has the same members as for recover_user', async () => {
  const members = ['credentialId', 'clientDataJson', 'attestationObject', 'transports'];
  for (const member of members) {
    const path = `authenticators.0.attestation.${member}`;
    for (const value of [undefined, null, {}, true]) {
      assertNames(await send(changed(full().body, path, value)), path, value);
    }
  }
  const [{ attestation }] = full().body['authenticators'];
  assert.deepEqual(Object.keys(attestation).sort(), members.toSorted());
});
required('SIGNUP-22', 'oauthProviders', lists);
statement('SIGNUP-23', 'oauthProviders are empty when unused', async () => {
  assertAccepted(await send({ ...full().body, oauthProviders: [] }));
});
const claims = (sub: string) => ({ iss: issuer.issuer, sub, aud: 'another app' });
const withProviders = (more: Members = {}) => {
  const sub = `account ${serial}`;
  const { body } = full();
  const nonce = undefined;
  const oidcToken = issuer.token(service, { sub, nonce });
  const byToken = { providerName: 'By token', oidcToken };
  return {
    ...body,
    oauthProviders: [byToken, { providerName: 'By claims', oidcClaims: claims(sub), ...more }],
  };
};
const inProviders = (ids: string, path: string, wrong: readonly unknown[]) =>
  statement(ids, `signup_v2 needs ${path}`, async () => {
    for (const value of [undefined, ...wrong]) {
      assertNames(await send(changed(withProviders(), path, value)), path, value);
    }
  });
inProviders('SIGNUP-24', 'oauthProviders.0.providerName', otherThan.text);
statement('SIGNUP-25', 'an item may have a token, which is a text', async () => {
  for (const wrong of [true, {}, 1]) {
    const path = 'oauthProviders.0.oidcToken';
    assertNames(await send(changed(withProviders(), path, wrong)), path, wrong);
  }
});
statement('SIGNUP-26', 'an item may have claims, which are an object', async () => {
  for (const wrong of ['claims', [], 1]) {
    const path = 'oauthProviders.1.oidcClaims';
    assertNames(await send(changed(withProviders(), path, wrong)), path, wrong);
  }
});
inProviders('SIGNUP-27', 'oauthProviders.1.oidcClaims.iss', otherThan.text);
inProviders('SIGNUP-28', 'oauthProviders.1.oidcClaims.sub', otherThan.text);
inProviders('SIGNUP-29', 'oauthProviders.1.oidcClaims.aud', otherThan.text);
optional('SIGNUP-30', 'wallet', ['wallet', [], 1], async ({ answer, ask }) => {
  const { wallets } = await ask('list_wallets');
  assert.deepEqual(
    wallets.map((wallet: Members) => wallet['walletId']),
    [answer.wallet.walletId],
  );
});
required('SIGNUP-31', 'wallet.walletName', otherThan.text);
required('SIGNUP-32', 'wallet.accounts', lists);
statement('SIGNUP-33', 'the accounts of a wallet are empty when unused', async () => {
  const answer = await send(changed(full().body, 'wallet.accounts', []));
  assertAccepted(answer);
  assert.deepEqual(answer.body.wallet.addresses, []);
});
/** Returns the number of words of a wallet with this mnemonic length. */
async function wordsOf(mnemonicLength: unknown): Promise<number> {
  const given = full();
  const body = changed(given.body, 'wallet.mnemonicLength', mnemonicLength);
  const { answer, as } = await shown({ ...given, body });
  const parameters = { walletId: answer.wallet.walletId, targetPublicKey };
  const type = 'ACTIVITY_TYPE_EXPORT_WALLET';
  const { activity } = (await service.submit('export_wallet', type, parameters, as)).body;
  const { exportBundle } = activity.result.exportWalletResult;
  return (await openedSentence(exportBundle, as.organizationId)).split(' ').length;
}
statement('SIGNUP-34', 'mnemonicLength is a number that may be left out', async () => {
  const path = 'wallet.mnemonicLength';
  for (const wrong of [true, {}, [], 'twelve', 12.5]) {
    assertNames(await send(changed(full().body, path, wrong)), path, wrong);
  }
  assert.equal(await wordsOf(15), 15);
});
statement('SIGNUP-35 LIM-05', 'a sentence has 12 words unless told otherwise', async () => {
  assert.equal(await wordsOf(undefined), 12);
});
statement('SIGNUP-36 LIM-04', 'a sentence has 12, 15, 18, 21 or 24 words', async () => {
  for (const length of [12, 15, 18, 21, 24]) assert.equal(await wordsOf(length), length);
  for (const wrong of [0, 11, 13, 14, 16, 20, 23, 25, -12]) {
    const path = 'wallet.mnemonicLength';
    assertNames(await send(changed(full().body, path, wrong)), path, wrong);
  }
});
required('SIGNUP-37', 'wallet.accounts.0.curve', [...otherThan.text, 'SECP256K1']);
required('SIGNUP-38', 'wallet.accounts.0.pathFormat', [...otherThan.text, 'BIP32']);
required('SIGNUP-39', 'wallet.accounts.0.path', [...otherThan.text, 'path']);
required('SIGNUP-40', 'wallet.accounts.0.addressFormat', [...otherThan.text, 'ETHEREUM']);
optional('SIGNUP-41', 'wallet.accounts.0.name', words, async ({ ask }) => {
  const { accounts } = await ask('list_wallet_accounts');
  assert.deepEqual(
    accounts.map((each: Members) => each['name']),
    ['Savings'],
  );
});
const signature = () => ({
  publicKey: testKey('client').publicKey,
  scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
  message: '{}',
  signature: '00',
});
const inSignature = (ids: string, member: string, wrong: readonly unknown[]) =>
  statement(ids, `signup_v2 needs clientSignature.${member}`, async () => {
    const path = `clientSignature.${member}`;
    for (const value of [undefined, ...wrong]) {
      const body = { ...full().body, clientSignature: signature() };
      assertNames(await send(changed(body, path, value)), path, value);
    }
  });
optional('SIGNUP-42', 'clientSignature', ['signature', [], 1], () => undefined);
inSignature('SIGNUP-43', 'publicKey', otherThan.text);
inSignature('SIGNUP-44 ENUM-12', 'scheme', [
  ...otherThan.text,
  'CLIENT_SIGNATURE_SCHEME_API_ED25519',
]);
inSignature('SIGNUP-45', 'message', otherThan.text);
inSignature('SIGNUP-46', 'signature', otherThan.text);
statement('SIGNUP-47', 'a sign-up answers the id of the new organization', async () => {
  const { answer, ask } = await shown(full());
  uuid(answer.organizationId);
  text(answer.organizationId);
  assert.equal((await ask('whoami')).organizationId, answer.organizationId);
});
statement('ENUM-11', 'an API key is on one of three curves', async () => {
  for (const curveType of ['P384', 'RSA', 'BLS'].map((name) => `API_KEY_CURVE_${name}`)) {
    const path = 'apiKeys.0.curveType';
    assertNames(await send(changed(full().body, path, curveType)), path, curveType);
  }
  const ed25519 = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const secp256k1 = `02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`;
  for (const [name, publicKey] of [
    ['P256', testKey('of a curve').publicKey],
    ['SECP256K1', secp256k1],
    ['ED25519', ed25519],
  ] as const) {
    const apiKeys = [{ apiKeyName: name, publicKey, curveType: `API_KEY_CURVE_${name}` }];
    assertAccepted(await send({ ...full().body, apiKeys }));
  }
});
statement(
  'VER-04',
  'signup_v2 is what signs up, and versions that there are not do not',
  async () => {
    assertAccepted(await send(full().body));
    for (const name of ['signup_v3', 'sign_up', 'signup_v2_']) {
      assert.equal((await callProxy(service, name, full().body)).status, 404);
    }
  },
);
