import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyAppProofSignature } from '@turnkey/crypto';
import { type TestService, testKey } from '../../support/harness.ts';
import { createTestIssuer, publish } from '../../support/identity_provider.ts';
import { describedPasskey } from '../authenticators/authenticator_requests.ts';
import { assertRefused, assertViolation } from '../checks.ts';
import { alice, usageSignature, verifiedToken } from '../one_time_codes/otp_requests.ts';
import { startSecondNode } from '../second_node.ts';
import { describedKey } from '../users/user_requests.ts';
import { accepted, callProxy, configure, nobody, startProxyService } from './proxy_requests.ts';

const ethereum = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
};
const solana = {
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
  name: 'Savings',
};

const withKey = (name: string, changes: object = {}) => ({
  ...nobody,
  apiKeys: [describedKey(name, changes)],
});

/** Returns the new organization, read by its own user. */
async function shown(service: TestService, organizationId: string, name: string) {
  const as = { organizationId, key: testKey(name) };
  const { users } = await accepted(service.query('list_users', {}, as));
  const { wallets } = await accepted(service.query('list_wallets', {}, as));
  const { accounts } = await accepted(service.query('list_wallet_accounts', {}, as));
  const { configs } = await accepted(service.query('get_organization_configs', {}, as));
  const { organizationName } = await accepted(service.query('whoami', {}, as));
  const { userTags } = await accepted(service.query('list_user_tags', {}, as));
  return { users, wallets, accounts, configs, organizationName, userTags };
}

// SVC-09, SVC-10, SIGNUP-01, SIGNUP-02, SIGNUP-03, AUTH-06, VER-02, VER-04
test('signup_v2: creates a sub-organization with one root user and a wallet', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { authenticatorName, challenge, attestation } = describedPasskey('phone');
  const body = {
    userEmail: alice, // SIGNUP-04
    userPhoneNumber: '+4930123456', // SIGNUP-05
    userTag: 'Customers', // SIGNUP-06
    userName: 'Alice', // SIGNUP-07
    organizationName: 'Wallet of Alice', // SIGNUP-08
    // SIGNUP-10, SIGNUP-15
    apiKeys: [describedKey('alice'), describedKey('first session', { expirationSeconds: '60' })],
    authenticators: [{ authenticatorName, challenge, attestation }], // SIGNUP-16
    oauthProviders: [], // SIGNUP-22, SIGNUP-23
    // SIGNUP-30, SIGNUP-34, SIGNUP-41
    wallet: { walletName: 'Main', accounts: [ethereum, solana], mnemonicLength: 24 },
  };
  const answer = await accepted(callProxy(service, 'signup_v2', body));
  const names = ['appProofs', 'organizationId', 'userId', 'wallet'];
  assert.deepEqual(Object.keys(answer).sort(), names);
  const { organizationId, userId, wallet, appProofs } = answer; // SIGNUP-47
  for (const proof of appProofs) verifyAppProofSignature(proof);
  assert.deepEqual(
    appProofs.map((proof: { proofPayload: string }) => JSON.parse(proof.proofPayload).type),
    [
      'APP_PROOF_TYPE_ADDRESS_DERIVATION',
      'APP_PROOF_TYPE_ADDRESS_DERIVATION',
      'APP_PROOF_TYPE_SUB_ORGANIZATION',
    ],
  );
  const child = await shown(service, organizationId, 'alice');
  assert.equal(child.organizationName, 'Wallet of Alice');
  assert.deepEqual(child.configs.quorum, { threshold: 1, userIds: [userId] });
  const [user] = child.users;
  assert.equal(child.users.length, 1);
  assert.deepEqual(
    [user.userId, user.userName, user.userEmail, user.userPhoneNumber],
    [userId, 'Alice', alice, '+4930123456'],
  );
  assert.equal(user.apiKeys.length, 2);
  assert.equal(user.authenticators[0].credentialId, attestation.credentialId);
  assert.deepEqual(
    child.userTags.map(({ tagId, tagName }: Record<string, string>) => [tagId, tagName]),
    [[user.userTags[0], 'Customers']],
  );
  assert.deepEqual(
    child.wallets.map((made: { walletId: string; walletName: string }) => made.walletId),
    [wallet.walletId],
  );
  assert.deepEqual(
    child.accounts.map(({ address }: { address: string }) => address).sort(),
    wallet.addresses.toSorted(),
  );
});

test('signup_v2: omitted members have defaults', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const wallet = { walletName: 'Main', accounts: [] }; // SIGNUP-33, SIGNUP-35
  const body = { ...withKey('bare'), wallet }; // SIGNUP-17
  const { organizationId, wallet: made } = await accepted(callProxy(service, 'signup_v2', body));
  assert.deepEqual(made.addresses, []);
  const child = await shown(service, organizationId, 'bare');
  assert.match(child.users[0].userName, /^user-\d+$/);
  assert.match(child.organizationName, /^sub-organization-\d+$/);
  assert.deepEqual(child.users[0].userTags, []);

  const named = { ...withKey('bob'), userEmail: 'bob@example.com' };
  const second = await accepted(callProxy(service, 'signup_v2', named));
  const ofBob = await shown(service, second.organizationId, 'bob');
  // Strangers can look up names but not contacts, so default names never contain a contact.
  assert.match(ofBob.users[0].userName, /^user-\d+$/);
  assert.match(ofBob.organizationName, /^sub-organization-\d+$/);
  assert.deepEqual(Object.keys(second).sort(), ['organizationId', 'userId']);
});

test('signup_v2: records an activity of the parent, with the vote of the proxy user', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { userId } = await accepted(service.query('get_auth_proxy_config'));
  const { organizationId } = await accepted(callProxy(service, 'signup_v2', withKey('carol')));
  const { activities } = await accepted(service.query('list_activities'));
  const [activity] = activities;
  assert.equal(activities.length, 1);
  assert.equal(activity.type, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8');
  assert.equal(activity.organizationId, service.root.organizationId);
  assert.equal(activity.votes.length, 1);
  assert.equal(activity.votes[0].userId, userId);
  assert.equal(activity.votes[0].scheme, 'SIGNATURE_SCHEME_TK_API_P256');
  assert.equal(activity.result.createSubOrganizationResultV8.subOrganizationId, organizationId);
});

test('signup_v2: refuses malformed bodies, with the names that the caller wrote', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const good = withKey('dave');
  const wrong: readonly (readonly [string, object])[] = [
    ['apiKeys', { authenticators: [], oauthProviders: [] }], // SIGNUP-11
    ['authenticators', { apiKeys: [], oauthProviders: [] }],
    ['oauthProviders', { apiKeys: [], authenticators: [] }],
    ['surprise', { ...good, surprise: 1 }],
    ['userEmail', { ...good, userEmail: 'nobody' }],
    ['userPhoneNumber', { ...good, userPhoneNumber: '030 123456' }],
    ['userTag', { ...good, userTag: '' }],
    ['apiKeys.0.publicKey', withKey('x', { publicKey: '02' })],
    ['apiKeys.0.curveType', withKey('x', { curveType: 'CURVE_P256' })],
    [
      'wallet.mnemonicLength',
      { ...good, wallet: { walletName: 'a', accounts: [], mnemonicLength: 13 } },
    ], // SIGNUP-36
    ['wallet.walletName', { ...good, wallet: { accounts: [] } }],
    [
      'clientSignature.scheme',
      { ...good, clientSignature: { publicKey: '1', message: '', signature: '1' } },
    ], // SIGNUP-42
  ];
  for (const [field, body] of wrong) {
    assertViolation(await callProxy(service, 'signup_v2', body), field);
  }
  assertRefused(await callProxy(service, 'signup_v2', Buffer.from('{')), 400, 3);
  assertRefused(await callProxy(service, 'signup_v2', Buffer.from('[]')), 400, 3);
  const { activities } = await accepted(service.query('list_activities'));
  assert.deepEqual(activities, []);
});

test('signup_v2: requires each inner member', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const oidcClaims = { iss: 'https://issuer.test', sub: 'a', aud: 'b' };
  const body = {
    apiKeys: [describedKey('gina')],
    authenticators: [describedPasskey('phone')],
    oauthProviders: [{ providerName: 'Issuer', oidcClaims }],
    wallet: { walletName: 'Main', accounts: [ethereum] },
    clientSignature: {
      publicKey: testKey('gina').publicKey,
      scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
      message: '{}',
      signature: '00',
    },
  };
  const paths: readonly (readonly [string, readonly string[]])[] = [
    // SIGNUP-12 … SIGNUP-14
    ['apiKeys.0', ['apiKeyName', 'publicKey', 'curveType']],
    // SIGNUP-18 … SIGNUP-21
    ['authenticators.0', ['authenticatorName', 'challenge', 'attestation']],
    [
      'authenticators.0.attestation',
      ['credentialId', 'clientDataJson', 'attestationObject', 'transports'],
    ],
    // SIGNUP-24, SIGNUP-27 … SIGNUP-29
    ['oauthProviders.0', ['providerName']],
    ['oauthProviders.0.oidcClaims', ['iss', 'sub', 'aud']],
    // SIGNUP-31, SIGNUP-32, SIGNUP-37 … SIGNUP-40
    ['wallet', ['walletName', 'accounts']],
    ['wallet.accounts.0', ['curve', 'pathFormat', 'path', 'addressFormat']],
    // SIGNUP-43 … SIGNUP-46
    ['clientSignature', ['publicKey', 'scheme', 'message', 'signature']],
  ];
  for (const [path, members] of paths) {
    for (const member of members) {
      // Each member is first left out, then replaced by a value of another type.
      for (const value of [undefined, { of: 'another kind' }]) {
        if (value !== undefined && member === 'attestation') continue;
        const changed = structuredClone(body);
        const holder = path
          .split('.')
          .reduce<unknown>((inside, name) => Reflect.get(Object(inside), name), changed);
        Reflect.set(Object(holder), member, value);
        const answer = await callProxy(service, 'signup_v2', changed);
        assertViolation(answer, `${path}.${member}`);
      }
    }
  }
});

test('signup_v2: refuses an account without a long-lived credential', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  for (const body of [nobody, { ...nobody, userEmail: alice }]) {
    const answer = await callProxy(service, 'signup_v2', body);
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /^user missing valid credential: /);
  }
  const expiring = withKey('short', { expirationSeconds: '60' });
  for (const contact of [{}, { userEmail: alice }]) {
    assertRefused(await callProxy(service, 'signup_v2', { ...expiring, ...contact }), 400, 3);
  }
});

test('signup_v2: refuses too many credentials before it looks them up', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const apiKeys = Array.from({ length: 51 }, (_, i) => describedKey(`key ${i}`));
  assertRefused(await callProxy(service, 'signup_v2', { ...nobody, apiKeys }), 429, 8);
  const eleven = { ...nobody, apiKeys: apiKeys.slice(0, 11) };
  assertRefused(await callProxy(service, 'signup_v2', eleven), 429, 8);
});

// SIGNUP-09
test('signup_v2: a verified contact with the signature of its token is a way to sign in', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const token = await verifiedToken(service);
  const clientSignature = usageSignature(token, {
    type: 'USAGE_TYPE_SIGNUP',
    signupV2: { email: alice },
  });
  const body = { ...nobody, userEmail: alice, verificationToken: token };
  const unsigned = await callProxy(service, 'signup_v2', body);
  assertRefused(unsigned, 400, 3);
  assert.match(unsigned.body.message, /^invalid client signature/);
  const signed = { ...body, clientSignature };
  const { organizationId } = await accepted(callProxy(service, 'signup_v2', signed));
  const lookup = { filterType: 'EMAIL', filterValue: alice, verificationToken: token };
  assert.deepEqual(await accepted(callProxy(service, 'account', lookup)), { organizationId });

  const again = await callProxy(service, 'signup_v2', signed);
  assertRefused(again, 409, 6);
  assert.match(again.body.message, /^account already exists: .* this contact$/);
  const other = { ...body, verificationToken: 'x.y.z' };
  assert.match(
    (await callProxy(service, 'signup_v2', other)).body.message,
    /^invalid verification token: /,
  );
});

// SIGNUP-25
test('signup_v2: takes an account at an identity provider', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const issuer = createTestIssuer();
  publish(service, issuer);
  const oidcToken = issuer.token(service, { sub: 'alice' });
  const body = { ...nobody, oauthProviders: [{ providerName: 'Issuer', oidcToken }] };
  const { organizationId } = await accepted(callProxy(service, 'signup_v2', body));
  const lookup = { filterType: 'OIDC_TOKEN', filterValue: oidcToken };
  assert.deepEqual(await accepted(callProxy(service, 'account', lookup)), { organizationId });
  assertRefused(await callProxy(service, 'signup_v2', body), 409, 6);
});

// SIGNUP-26
test('signup_v2: further audiences come with the token of the same person', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const issuer = createTestIssuer();
  publish(service, issuer);
  const oidcToken = issuer.token(service, { sub: 'alice' });
  const oidcClaims = { iss: issuer.issuer, sub: 'alice', aud: 'other app' };
  const claimed = { providerName: 'Elsewhere', oidcClaims };
  assertRefused(
    await callProxy(service, 'signup_v2', { ...nobody, oauthProviders: [claimed] }),
    400,
    3,
  );
  const both = [{ providerName: 'Issuer', oidcToken }, claimed];
  const { organizationId } = await accepted(
    callProxy(service, 'signup_v2', { ...nobody, oauthProviders: both }),
  );
  const lookup = { filterType: 'OIDC_CLAIMS', filterValue: JSON.stringify(oidcClaims), oidcToken };
  // The claims count only if the token does: if its application belongs to the organization.
  assert.deepEqual(await accepted(callProxy(service, 'account', lookup)), {});
  await configure(service, { walletKitSettings: { oauthClientIds: { google: 'app' } } });
  assert.deepEqual(await accepted(callProxy(service, 'account', lookup)), { organizationId });
});

test('signup_v2: a caller who only names an identity does not learn if it has an account', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const issuer = createTestIssuer();
  publish(service, issuer);
  const signUp = (oidcToken: string) =>
    callProxy(service, 'signup_v2', {
      ...nobody,
      oauthProviders: [{ providerName: 'Issuer', oidcToken }],
    });
  await accepted(signUp(issuer.token(service, { sub: 'alice' })));
  const stranger = createTestIssuer(issuer.issuer, 'stranger');
  const known = await signUp(stranger.token(service, { sub: 'alice' }));
  const unknown = await signUp(stranger.token(service, { sub: 'nobody' }));
  assertRefused(known, 400, 3);
  assert.deepEqual(known.body, unknown.body);
});

test('signup_v2: a credential with an account creates no second account, nor do two concurrent requests', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const both = await Promise.all(
    ['first', 'second'].map((userName) =>
      callProxy(service, 'signup_v2', { ...withKey('wallet'), userName }),
    ),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const upperCase = withKey('wallet', { publicKey: testKey('wallet').publicKey.toUpperCase() });
  assertRefused(await callProxy(service, 'signup_v2', upperCase), 409, 6);
  const passkey = { ...nobody, authenticators: [describedPasskey('phone')] };
  await accepted(callProxy(service, 'signup_v2', passkey));
  assertRefused(await callProxy(service, 'signup_v2', passkey), 409, 6);
  const filter = { filterType: 'PUBLIC_KEY', filterValue: testKey('wallet').publicKey };
  assert.equal(
    typeof (await accepted(callProxy(service, 'account', filter))).organizationId,
    'string',
  );
});

test('signup_v2: a passkey is recognized in every encoding of its id', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const passkey = describedPasskey('phone');
  await accepted(callProxy(service, 'signup_v2', { ...nobody, authenticators: [passkey] }));
  const { attestation } = passkey;
  const id = Buffer.from(attestation.credentialId, 'base64url');
  // CBOR prefix of a byte string with 32 bytes.
  const inCbor = Buffer.concat([Uint8Array.of(0x58, id.length), id]);
  for (const credentialId of [id.toString('base64'), inCbor.toString('base64url')]) {
    const authenticators = [{ ...passkey, attestation: { ...attestation, credentialId } }];
    const answer = await callProxy(service, 'signup_v2', { ...nobody, authenticators });
    assertRefused(answer, 409, 6);
    assert.match(answer.body.message, /another user has signed up with this passkey/);
  }
});

test('signup_v2: two concurrent requests on two nodes create one account', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const enclave = await startSecondNode(service);
  const nodes = [service, { ...service, enclave }, service, { ...service, enclave }];
  const issuer = createTestIssuer();
  publish(service, issuer);
  const oidcToken = issuer.token(service, { sub: 'alice' });
  const once = [200, 409, 409, 409];
  for (const body of [
    withKey('wallet'),
    { ...nobody, authenticators: [describedPasskey('phone')] },
    { ...nobody, oauthProviders: [{ providerName: 'Issuer', oidcToken }] },
  ]) {
    const answers = await Promise.all(
      nodes.map((node, i) =>
        callProxy(node, 'signup_v2', { ...structuredClone(body), userName: `Try ${i}` }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), once);
  }
  const { organizationIds } = await accepted(service.query('list_suborgs'));
  assert.equal(organizationIds.length, 3);
});

test('signup_v2: refuses disallowed methods', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const issuer = createTestIssuer('https://accounts.google.com');
  publish(service, issuer);
  const token = issuer.token(service, { sub: 'alice' });
  const verificationToken = await verifiedToken(service);
  const expiring = describedKey('session', { expirationSeconds: '60' });
  const bodies: readonly (readonly [string, object])[] = [
    ['wallet', withKey('wallet')],
    ['passkey', { ...nobody, authenticators: [describedPasskey('phone')], apiKeys: [expiring] }],
    ['google', { ...nobody, oauthProviders: [{ providerName: 'Google', oidcToken: token }] }],
    ['email', { ...nobody, userEmail: alice, verificationToken }],
  ];
  await configure(service, { allowedAuthMethods: ['sms'] });
  for (const [method, body] of bodies) {
    const answer = await callProxy(service, 'signup_v2', body);
    assertRefused(answer, 403, 7);
    assert.match(answer.body.message, new RegExp(`does not allow the method \`${method}\`$`));
    // `@turnkey/core` searches for these words to detect that logins with identity providers are disallowed.
    assert.equal(answer.body.message.includes('OAUTH disallowed'), method === 'google');
  }
  await configure(service, { allowedAuthMethods: ['wallet', 'passkey', 'google'] });
  for (const [, body] of bodies.slice(0, 3)) await accepted(callProxy(service, 'signup_v2', body));
});

test('signup: the first version requires a token for each provider', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { organizationId, userId } = await accepted(
    callProxy(service, 'signup', { ...withKey('erin'), userTag: 'Early' }),
  );
  const child = await shown(service, organizationId, 'erin');
  assert.equal(child.users[0].userId, userId);
  assert.equal(child.userTags[0].tagName, 'Early');
  const oidcClaims = { iss: 'a', sub: 'b', aud: 'c' };
  const claimed = { ...nobody, oauthProviders: [{ providerName: 'x', oidcClaims }] };
  assertViolation(await callProxy(service, 'signup', claimed), 'oauthProviders.0.oidcClaims');
});

test('signup: limits the accounts that a stranger creates', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const accounts = (count: number) => ({
    walletName: 'Main',
    accounts: Array.from({ length: count }, (_, i) => ({
      ...ethereum,
      path: `m/44'/60'/0'/0/${i}`,
    })),
  });
  const described = withKey('wallet');
  for (const endpoint of ['signup', 'signup_v2']) {
    const body = { ...described, wallet: accounts(21) };
    assertViolation(await callProxy(service, endpoint, body), 'wallet.accounts');
  }
  const { wallet } = await accepted(
    callProxy(service, 'signup_v2', { ...described, wallet: accounts(20) }),
  );
  assert.equal(wallet.addresses.length, 20);
});
