// Every statement of the specification about an activity operation, on a service in memory.
// test/e2e/paths.test.ts sends requests to the paths over HTTP.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { decryptCredentialBundle } from '@turnkey/crypto';
import { hex } from '../../src/core/base/bytes.ts';
import { startTenants, type Tenant, type Tenants } from '../hostile/tenants.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import { alice } from '../operations/one_time_codes/otp_requests.ts';
import { clientKey, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { testKey } from '../support/harness.ts';
import { childOf, contractOf, startWorlds, text, uuid } from './operation_statements.ts';
import {
  assertAccepted,
  assertNames,
  changed,
  type Members,
  oidcTokenFor,
  otherThan,
  statement,
} from './statement.ts';

const worlds = startWorlds(startTenants, after);
const spans = {
  good: ['1', '60', '900'],
  wrong: [...otherThan.text.slice(1), '', 'x', '-1', '1.5'],
};
const user = 'user of child';

/** Returns the keys of the plain user from a query. */
async function keysOf(tenants: Tenants): Promise<Members[]> {
  const { organizationId, key, userId } = childOf(tenants);
  const as = { organizationId, key };
  return (await tenants.service.query('get_api_keys', { userId }, as)).body.apiKeys;
}

/** Carries out an operation, and returns its result. */
async function done(operation: string, type: string, parameters: Members): Promise<Members> {
  const { service, ...tenants } = worlds().done;
  const { organizationId, key } = childOf({ service, ...tenants });
  const as = { organizationId, key };
  const answer = await service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);
  assertAccepted(answer);
  return Object.values(answer.body.activity.result)[0] as Members;
}

// oauth
const oauth = contractOf(worlds, 'oauth', 'ACTIVITY_TYPE_OAUTH', (tenants) => ({
  oidcToken: oidcTokenFor(tenants, targetPublicKey, user),
  targetPublicKey,
  apiKeyName: 'Named',
  expirationSeconds: '60',
  invalidateExisting: false,
}));
const forOauth = () => ({
  oidcToken: oidcTokenFor(worlds().done, targetPublicKey, user),
  targetPublicKey,
});
oauth.type('OP-OAUTH-02');
statement(
  'OP-OAUTH-03',
  'a token of an account signs its user in, one of another does not',
  async () => {
    const { userId } = childOf(worlds().done);
    assert.equal((await done('oauth', 'OAUTH', forOauth()))['userId'], userId);
    const other = { oidcToken: oidcTokenFor(worlds().tried, targetPublicKey, 'nobody') };
    assert.notEqual((await oauth.send({ ...oauth.parameters(), ...other })).status, 200);
  },
);
oauth.required('OP-OAUTH-04', 'oidcToken', otherThan.text);
oauth.required('OP-OAUTH-05', 'targetPublicKey', [...otherThan.text, '', 'zz']);
statement(
  'OP-OAUTH-06 OP-OAUTH-19 AUTH-14',
  'the bundle opens with the key it was asked for',
  async () => {
    const { apiKeyId, credentialBundle } = await done('oauth', 'OAUTH', forOauth());
    const opened = decryptCredentialBundle(credentialBundle, hex(clientKey));
    const made = (await keysOf(worlds().done)).find((key) => key['apiKeyId'] === apiKeyId);
    const { publicKey } = made?.['credential'] ?? {};
    const { getPublicKey } = await import('@turnkey/crypto');
    assert.equal(hex(getPublicKey(Uint8Array.fromHex(opened))), publicKey);
    const other = hex(testKey('another').privateKey);
    assert.throws(() => decryptCredentialBundle(credentialBundle, other));
  },
);
oauth.optional('OP-OAUTH-07', 'apiKeyName', ['Other name'], otherThan.text.slice(1));
statement('OP-OAUTH-08', 'a key that is not named is called Oauth and the time', async () => {
  const { apiKeyId } = await done('oauth', 'OAUTH', forOauth());
  const made = (await keysOf(worlds().done)).find((key) => key['apiKeyId'] === apiKeyId);
  const moment = new Date(worlds().done.service.now()).toISOString();
  assert.equal(made?.['apiKeyName'], `Oauth - ${moment}`);
});
oauth.optional('OP-OAUTH-09', 'expirationSeconds', spans.good, spans.wrong);
statement(
  'OP-OAUTH-10 LIM-01',
  'a key of oauth lives 15 minutes unless told otherwise',
  async () => {
    for (const [more, seconds] of [
      [{}, '900'],
      [{ expirationSeconds: '61' }, '61'],
    ] as const) {
      const { apiKeyId } = await done('oauth', 'OAUTH', { ...forOauth(), ...more });
      const made = (await keysOf(worlds().done)).find((key) => key['apiKeyId'] === apiKeyId);
      assert.equal(made?.['expirationSeconds'], seconds);
    }
  },
);
oauth.optional('OP-OAUTH-11', 'invalidateExisting', [true, false], otherThan.boolean.slice(1));
statement(
  'OP-OAUTH-12',
  'earlier keys of oauth end where that is asked for, and others do not',
  async () => {
    const idsOf = async (type: string) =>
      (await keysOf(worlds().done))
        .filter(
          (key) =>
            (key['credential'].type === 'CREDENTIAL_TYPE_OAUTH_KEY_P256') === (type === 'oauth'),
        )
        .map((key) => key['apiKeyId']);
    const first = await done('oauth', 'OAUTH', forOauth());
    const others = await idsOf('others');
    const kept = await done('oauth', 'OAUTH', { ...forOauth(), invalidateExisting: false });
    const both = await idsOf('oauth');
    assert.ok(both.includes(first['apiKeyId']) && both.includes(kept['apiKeyId']));
    const last = await done('oauth', 'OAUTH', { ...forOauth(), invalidateExisting: true });
    assert.deepEqual(await idsOf('oauth'), [last['apiKeyId']]);
    assert.deepEqual(await idsOf('others'), others);
  },
);
oauth.intent('OP-OAUTH-13 OP-OAUTH-14', 'oauthIntent');
oauth.result('OP-OAUTH-15', 'oauthResult');
oauth.answered('OP-OAUTH-16', 'userId', (value, { userId }) => assert.equal(value, userId));
oauth.answered('OP-OAUTH-17', 'apiKeyId', uuid);
oauth.answered('OP-OAUTH-18', 'credentialBundle', text);

// oauth_login
const { publicKey: sessionKey } = testKey('conforming session');
const login = contractOf(worlds, 'oauth_login', 'ACTIVITY_TYPE_OAUTH_LOGIN', (tenants) => ({
  oidcToken: oidcTokenFor(tenants, sessionKey, user),
  publicKey: sessionKey,
  expirationSeconds: '60',
  invalidateExisting: false,
}));
const loginWith = (publicKey: string, more: object = {}) =>
  done('oauth_login', 'OAUTH_LOGIN', {
    oidcToken: oidcTokenFor(worlds().done, publicKey, user),
    publicKey,
    ...more,
  });
const publicKeys = async (tenants: Tenants) =>
  (await keysOf(tenants)).map((key) => key['credential'].publicKey);
const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
login.type('OP-OAUTH-LOGIN-02');
statement(
  'OP-OAUTH-LOGIN-03 AUTH-11 AUTH-12',
  'oauth_login starts a session that may ask',
  async () => {
    const key = testKey('started session');
    await loginWith(key.publicKey);
    const { organizationId, userId } = childOf(worlds().done);
    const { body } = await worlds().done.service.query('whoami', {}, { organizationId, key });
    assert.equal(body.userId, userId);
  },
);
login.required('OP-OAUTH-LOGIN-04', 'oidcToken', otherThan.text);
login.required('OP-OAUTH-LOGIN-05', 'publicKey', [...otherThan.text, '']);
statement('OP-OAUTH-LOGIN-06', 'a key is added by a valid token alone', async () => {
  const { publicKey } = testKey('unproven session');
  const { tried: tenants } = worlds();
  const { organizationId, key } = childOf(tenants);
  for (const oidcToken of [
    oidcTokenFor(tenants, publicKey, 'nobody'),
    oidcTokenFor(tenants, sessionKey, user),
    oidcTokenFor(tenants, publicKey, user).slice(0, -2),
  ]) {
    const type = 'ACTIVITY_TYPE_OAUTH_LOGIN';
    const as = { organizationId, key };
    const answer = await tenants.service.submit('oauth_login', type, { oidcToken, publicKey }, as);
    assert.ok(answer.status >= 400 && answer.status < 500, JSON.stringify(answer.body));
  }
  assert.ok(!(await publicKeys(tenants)).includes(publicKey));
  await loginWith(publicKey);
  assert.ok((await publicKeys(worlds().done)).includes(publicKey));
});
login.optional('OP-OAUTH-LOGIN-07', 'expirationSeconds', spans.good, spans.wrong);
statement(
  'OP-OAUTH-LOGIN-08 LIM-02',
  'a session of oauth_login lives 15 minutes unless told otherwise',
  async () => {
    for (const [more, seconds] of [
      [{}, 900],
      [{ expirationSeconds: '61' }, 61],
    ] as const) {
      const { session } = await loginWith(testKey(`session of ${seconds}`).publicKey, more);
      const now = Math.floor(worlds().done.service.now() / 1000);
      assert.equal(claimsOf(session).exp, now + seconds);
    }
  },
);
login.optional(
  'OP-OAUTH-LOGIN-09',
  'invalidateExisting',
  [true, false],
  otherThan.boolean.slice(1),
);
statement(
  'OP-OAUTH-LOGIN-10',
  'earlier login keys end where that is asked for, and others do not',
  async () => {
    const names = ['one', 'two', 'three'].map((name) => testKey(`invalidating ${name}`).publicKey);
    const [one = '', two = '', three = ''] = names;
    const others = (await keysOf(worlds().done)).filter(
      (key) => key['credential'].type !== 'CREDENTIAL_TYPE_LOGIN',
    );
    await loginWith(one);
    await loginWith(two, { invalidateExisting: false });
    const both = await publicKeys(worlds().done);
    assert.ok(both.includes(one) && both.includes(two));
    await loginWith(three, { invalidateExisting: true });
    const left = await keysOf(worlds().done);
    const isLogin = (key: Members) => key['credential'].type === 'CREDENTIAL_TYPE_LOGIN';
    assert.deepEqual(
      left.filter(isLogin).map((key) => key['credential'].publicKey),
      [three],
    );
    assert.deepEqual(
      left.filter((key) => !isLogin(key)),
      others,
    );
  },
);
login.intent('OP-OAUTH-LOGIN-11', 'oauthLoginIntent');
login.result('OP-OAUTH-LOGIN-12', 'oauthLoginResult');
login.answered('OP-OAUTH-LOGIN-13', 'session', text);
statement('OP-OAUTH-LOGIN-14', 'a session is a signed JWT with its five claims', async () => {
  const { publicKey } = testKey('claiming session');
  const { session } = await loginWith(publicKey);
  const { organizationId, userId } = childOf(worlds().done);
  const [header = '', , signature = ''] = session.split('.');
  assert.equal(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, 'ES256');
  assert.equal(Buffer.from(signature, 'base64url').length, 64);
  const { exp, ...claims } = claimsOf(session);
  assert.ok(Number.isInteger(exp));
  assert.deepEqual(claims, {
    public_key: publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: userId,
    organization_id: organizationId,
  });
});

// sign_raw_payload
const signing = contractOf(
  worlds,
  'sign_raw_payload',
  'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  (_, { address }) => ({
    signWith: address,
    payload: '00'.repeat(32),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }),
);
signing.type('OP-SIGN-02');
signing.required('OP-SIGN-03', 'signWith', [...otherThan.text, '']);
statement(
  'OP-SIGN-04',
  'a wallet account, a private key and its id sign, and nothing else',
  async () => {
    const { address, privateKeyAddress, privateKeyId } = childOf(worlds().tried);
    for (const signWith of [address, privateKeyAddress, privateKeyId]) {
      assertAccepted(await signing.send({ ...signing.parameters(), signWith }));
    }
    const { walletId, userId } = childOf(worlds().tried);
    for (const signWith of [walletId, userId, `${address.slice(0, -1)}0`]) {
      assert.equal((await signing.send({ ...signing.parameters(), signWith })).status, 404);
    }
  },
);
signing.required('OP-SIGN-05', 'payload', otherThan.text);
signing.required('OP-SIGN-06', 'encoding', [...otherThan.text, '', 'HEXADECIMAL']);
signing.required('OP-SIGN-07', 'hashFunction', [...otherThan.text, '', 'NO_OP']);
signing.intent('OP-SIGN-08', 'signRawPayloadIntentV2');
signing.result('OP-SIGN-09', 'signRawPayloadResult');
const component = (value: unknown) => assert.match(String(value), /^[0-9a-f]{64}$/);
signing.answered('OP-SIGN-10', 'r', component);
signing.answered('OP-SIGN-11', 's', component);
signing.answered('OP-SIGN-12', 'v', (value) => assert.match(String(value), /^0[01]$/));

// update_user
const updateUser = contractOf(worlds, 'update_user', 'ACTIVITY_TYPE_UPDATE_USER', (_, of) => ({
  userId: of.userId,
  userName: 'Renamed',
  userEmail: 'renamed@example.com',
  userTagIds: [of.userTagId],
  userPhoneNumber: '+15555550123',
}));
const shownUser = async (): Promise<Members> => {
  const { organizationId, key, userId } = childOf(worlds().done);
  const as = { organizationId, key };
  return (await worlds().done.service.query('get_user', { userId }, as)).body.user;
};
const change = (more: Members) =>
  done('update_user', 'UPDATE_USER', { userId: childOf(worlds().done).userId, ...more });
updateUser.type('OP-UPDATE-USER-02');
updateUser.required('OP-UPDATE-USER-03', 'userId', [...otherThan.text, '', 'user']);
updateUser.optional('OP-UPDATE-USER-04', 'userName', ['Other'], otherThan.text.slice(1));
updateUser.optional('OP-UPDATE-USER-05', 'userEmail', ['a@example.com'], otherThan.text.slice(1));
updateUser.optional(
  'OP-UPDATE-USER-06',
  'userTagIds',
  [[]],
  [...otherThan.list.slice(1), ['x'], [1]],
);
statement('OP-UPDATE-USER-07', 'the tags of a user become those of the list', async () => {
  const made = await done('create_user_tag', 'CREATE_USER_TAG', {
    userTagName: 'Other',
    userIds: [],
  });
  const { userTagId: first } = childOf(worlds().done);
  const second = made['userTagId'];
  for (const userTagIds of [[first, second], [second], [first]]) {
    await change({ userTagIds });
    assert.deepEqual((await shownUser())['userTags'].toSorted(), userTagIds.toSorted());
  }
});
statement(
  'OP-UPDATE-USER-08',
  'an empty list of tags is one that is not used: it changes nothing',
  async () => {
    const { userTagId } = childOf(worlds().done);
    await change({ userTagIds: [userTagId] });
    await change({ userName: 'Another name', userTagIds: [] });
    const { userName, userTags } = await shownUser();
    assert.deepEqual({ userName, userTags }, { userName: 'Another name', userTags: [userTagId] });
  },
);
updateUser.optional(
  'OP-UPDATE-USER-09',
  'userPhoneNumber',
  ['+4930123456'],
  otherThan.text.slice(1),
);
statement('OP-UPDATE-USER-10', 'a phone number is in E.164 format', async () => {
  const field = 'parameters.userPhoneNumber';
  for (const number of ['+15555550123', '+4930123456']) {
    assertAccepted(await updateUser.send({ ...updateUser.parameters(), userPhoneNumber: number }));
  }
  for (const number of [
    '15555550123',
    '+1 555 555 0123',
    '+0555',
    '0049301234',
    '+1555555012345678',
  ]) {
    const answer = await updateUser.send({ ...updateUser.parameters(), userPhoneNumber: number });
    assertNames(answer, field, number);
  }
});
updateUser.intent('OP-UPDATE-USER-11', 'updateUserIntent');
updateUser.result('OP-UPDATE-USER-12', 'updateUserResult');
updateUser.answered('OP-UPDATE-USER-13', 'userId', (value, of) => assert.equal(value, of.userId));

// update_user_email
const updateEmail = contractOf(
  worlds,
  'update_user_email',
  'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  (_, { userId }) => ({ userId, userEmail: alice }),
);
updateEmail.type('OP-UPDATE-USER-EMAIL-02');
updateEmail.required('OP-UPDATE-USER-EMAIL-03', 'userId', [...otherThan.text, '', 'user']);
updateEmail.required('OP-UPDATE-USER-EMAIL-04', 'userEmail', [...otherThan.text, 'alice']);
statement('OP-UPDATE-USER-EMAIL-05', 'an empty text removes the address', async () => {
  const { userId } = childOf(worlds().done);
  const to = (userEmail: string) =>
    done('update_user_email', 'UPDATE_USER_EMAIL', { userId, userEmail });
  await to('kept@example.com');
  assert.equal((await shownUser())['userEmail'], 'kept@example.com');
  await to('');
  assert.ok(!('userEmail' in (await shownUser())));
});
updateEmail.optional('OP-UPDATE-USER-EMAIL-06', 'verificationToken', [], otherThan.text.slice(1));
updateEmail.intent('OP-UPDATE-USER-EMAIL-08', 'updateUserEmailIntent');
updateEmail.result('OP-UPDATE-USER-EMAIL-09', 'updateUserEmailResult');
updateEmail.answered('OP-UPDATE-USER-EMAIL-10', 'userId', (value, of) =>
  assert.equal(value, of.userId),
);

// recover_user
const recovery = contractOf(worlds, 'recover_user', 'ACTIVITY_TYPE_RECOVER_USER', (_, of) => ({
  userId: of.userId,
  authenticator: describedPasskey('conforming recovery'),
}));
const authenticatorsOf = async ({ organizationId, key, userId }: Tenant) => {
  const as = { organizationId, key };
  const { body } = await worlds().done.service.query('get_authenticators', { userId }, as);
  return body.authenticators as Members[];
};
recovery.type('OP-RECOVER-02');
statement('OP-RECOVER-03', 'recovery adds an authenticator', async () => {
  const made = await done('recover_user', 'RECOVER_USER', {
    userId: childOf(worlds().done).userId,
    authenticator: describedPasskey('added by recovery'),
  });
  const all = await authenticatorsOf(childOf(worlds().done));
  const added = all.find((one) => one['authenticatorName'] === 'added by recovery');
  assert.deepEqual([added?.['authenticatorId']], made['authenticatorId']);
});
recovery.required('OP-RECOVER-04', 'userId', [...otherThan.text, '', 'user']);
recovery.required('OP-RECOVER-05', 'authenticator', otherThan.object);
recovery.required('OP-RECOVER-06', 'authenticator.authenticatorName', otherThan.text);
recovery.required('OP-RECOVER-07', 'authenticator.challenge', otherThan.text);
recovery.required('OP-RECOVER-08', 'authenticator.attestation', otherThan.object);
const attestation = 'authenticator.attestation';
recovery.required('OP-RECOVER-09', `${attestation}.credentialId`, otherThan.text);
recovery.required('OP-RECOVER-10', `${attestation}.clientDataJson`, otherThan.text);
recovery.required('OP-RECOVER-11', `${attestation}.attestationObject`, otherThan.text);
recovery.required('OP-RECOVER-12', `${attestation}.transports`, [
  ...otherThan.list,
  ['INTERNAL'],
  ['AUTHENTICATOR_TRANSPORT_SMOKE'],
]);
statement('OP-RECOVER-13', 'a credential id in CBOR is the id that is in it', async () => {
  const parameters = recovery.parameters();
  const raw = Buffer.from(parameters['authenticator'].attestation.credentialId, 'base64url');
  const head = raw.length < 24 ? [0x40 + raw.length] : [0x58, raw.length];
  const path = `${attestation}.credentialId`;
  const wrapped = Buffer.concat([Buffer.from(head), raw]).toString('base64url');
  assertAccepted(await recovery.send(changed(parameters, path, wrapped)));
  const other = Buffer.concat([Buffer.from(head), Buffer.alloc(raw.length)]).toString('base64url');
  assert.equal((await recovery.send(changed(parameters, path, other))).status, 400);
});
statement('OP-RECOVER-14', 'the other texts of an attestation are base64url', async () => {
  for (const name of ['clientDataJson', 'attestationObject']) {
    const path = `${attestation}.${name}`;
    const parameters = recovery.parameters();
    const plain = Buffer.from(parameters['authenticator'].attestation[name], 'base64url');
    for (const wrong of [
      plain.toString('hex'),
      `${plain.toString('base64url')}!`,
      plain.toString(),
    ]) {
      assert.equal((await recovery.send(changed(parameters, path, wrong))).status, 400, name);
    }
  }
});
recovery.intent('OP-RECOVER-15 OP-RECOVER-16', 'recoverUserIntent');
recovery.result('OP-RECOVER-17', 'recoverUserResult');

// create_oauth_providers
const providers = contractOf(
  worlds,
  'create_oauth_providers',
  'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2',
  (tenants, { userId, key }) => {
    const oidcToken = oidcTokenFor(tenants, key.publicKey, 'a new account');
    const oidcClaims = { iss: 'https://issuer.test', sub: 'a new account', aud: 'another app' };
    return {
      userId,
      oauthProviders: [
        { providerName: 'By token', oidcToken },
        { providerName: 'By claims', oidcClaims },
      ],
    };
  },
);
providers.type('OP-CREATE-OAUTH-PROVIDERS-02');
providers.required('OP-CREATE-OAUTH-PROVIDERS-03', 'userId', [...otherThan.text, '', 'user']);
providers.required('OP-CREATE-OAUTH-PROVIDERS-04', 'oauthProviders', [...otherThan.list, [1]]);
providers.required('OP-CREATE-OAUTH-PROVIDERS-05', 'oauthProviders.0.providerName', otherThan.text);
statement(
  'OP-CREATE-OAUTH-PROVIDERS-06',
  'oidcToken is a text that may stand in an item',
  async () => {
    const parameters = providers.parameters();
    for (const wrong of [true, {}, ['text'], 1]) {
      const path = 'oauthProviders.0.oidcToken';
      assertNames(
        await providers.send(changed(parameters, path, wrong)),
        `parameters.${path}`,
        wrong,
      );
    }
    // The other item lacks the member.
    assertAccepted(await providers.send(parameters));
  },
);
statement(
  'OP-CREATE-OAUTH-PROVIDERS-07',
  'oidcClaims is an object that may stand in an item',
  async () => {
    const parameters = providers.parameters();
    for (const wrong of ['claims', [], 1]) {
      const path = 'oauthProviders.1.oidcClaims';
      assertNames(
        await providers.send(changed(parameters, path, wrong)),
        `parameters.${path}`,
        wrong,
      );
    }
    // Without the member, one item is left out.
    const { oauthProviders, ...rest } = parameters;
    assertAccepted(await providers.send({ ...rest, oauthProviders: oauthProviders.slice(0, 1) }));
  },
);
const claims = 'oauthProviders.1.oidcClaims';
providers.required('OP-CREATE-OAUTH-PROVIDERS-08', `${claims}.iss`, otherThan.text);
providers.required('OP-CREATE-OAUTH-PROVIDERS-09', `${claims}.sub`, otherThan.text);
providers.required('OP-CREATE-OAUTH-PROVIDERS-10', `${claims}.aud`, otherThan.text);
providers.intent('OP-CREATE-OAUTH-PROVIDERS-11', 'createOauthProvidersIntentV2');
providers.result('OP-CREATE-OAUTH-PROVIDERS-12', 'createOauthProvidersResultV2');
providers.answered('OP-CREATE-OAUTH-PROVIDERS-13', 'providerIds', (value) => {
  assert.equal(value['length'], 2);
  for (const id of value as unknown as string[]) uuid(id);
});

// update_policy
const policy = contractOf(worlds, 'update_policy', 'ACTIVITY_TYPE_UPDATE_POLICY_V2', (_, of) => ({
  policyId: of.policyId,
  policyName: 'Renamed',
  policyEffect: 'EFFECT_DENY',
  policyCondition: "activity.kind == 'CREATE_WALLET'",
  policyNotes: 'Notes',
  policyConsensus: 'approvers.count() >= 9',
}));
policy.type('OP-UPDATE-POLICY-02');
policy.required('OP-UPDATE-POLICY-03', 'policyId', [...otherThan.text, '', 'policy']);
policy.optional('OP-UPDATE-POLICY-04', 'policyName', ['Other'], otherThan.text.slice(1));
policy.optional(
  'OP-UPDATE-POLICY-05',
  'policyEffect',
  ['EFFECT_ALLOW', 'EFFECT_DENY'],
  [...otherThan.text.slice(1), 'ALLOW'],
);
const expressions = {
  good: ['true', 'false'],
  wrong: [...otherThan.text.slice(1), '1 +', 'nothing'],
};
policy.optional('OP-UPDATE-POLICY-06', 'policyCondition', expressions.good, expressions.wrong);
policy.optional('OP-UPDATE-POLICY-07', 'policyConsensus', expressions.good, expressions.wrong);
policy.optional('OP-UPDATE-POLICY-08', 'policyNotes', ['', 'Notes'], otherThan.text.slice(1));
policy.intent('OP-UPDATE-POLICY-09', 'updatePolicyIntentV2');
policy.result('OP-UPDATE-POLICY-10', 'updatePolicyResultV2');
policy.answered('OP-UPDATE-POLICY-11', 'policyId', (value, of) => assert.equal(value, of.policyId));
/** Returns the policy that was updated with every member, from a query. */
async function shownPolicy(): Promise<Members> {
  await policy.done();
  const { organizationId, key, policyId } = childOf(worlds().done);
  const as = { organizationId, key };
  return (await worlds().done.service.query('get_policy', { policyId }, as)).body.policy;
}
statement('RES-POLICY-01', 'a policy has its id', async () => {
  assert.equal((await shownPolicy())['policyId'], childOf(worlds().done).policyId);
});
statement('RES-POLICY-02', 'policyName is what a policy is called', async () => {
  assert.equal((await shownPolicy())['policyName'], 'Renamed');
});
statement('RES-POLICY-03', 'policyEffect is what it does', async () => {
  assert.equal((await shownPolicy())['effect'], 'EFFECT_DENY');
});
statement('RES-POLICY-04', 'policyCondition is an expression', async () => {
  assert.equal((await shownPolicy())['condition'], "activity.kind == 'CREATE_WALLET'");
});
statement('RES-POLICY-05', 'policyConsensus is an expression', async () => {
  assert.equal((await shownPolicy())['consensus'], 'approvers.count() >= 9');
});
statement('RES-POLICY-06', 'policyNotes is a text', async () => {
  assert.equal((await shownPolicy())['notes'], 'Notes');
});
statement('RES-POLICY-07', 'update_policy takes these members and no other', async () => {
  const { policyId } = childOf(worlds().tried);
  const names = ['policyName', 'policyEffect', 'policyCondition', 'policyConsensus', 'policyNotes'];
  const sent = policy.parameters();
  for (const name of names) assertAccepted(await policy.send({ policyId, [name]: sent[name] }));
  for (const name of ['effect', 'condition', 'consensus', 'notes', 'name']) {
    assertNames(await policy.send({ ...sent, [name]: 'true' }), `parameters.${name}`, name);
  }
});

// set_organization_feature
const feature = contractOf(
  worlds,
  'set_organization_feature',
  'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
  () => ({ name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example/first' }),
);
feature.type('OP-SET-FEATURE-02');
feature.required('OP-SET-FEATURE-04', 'name', [...otherThan.text, '', 'WEBHOOK']);
feature.required('OP-SET-FEATURE-05', 'value', otherThan.text);
feature.intent('OP-SET-FEATURE-07', 'setOrganizationFeatureIntent');
feature.result('OP-SET-FEATURE-08', 'setOrganizationFeatureResult');
const isListed = (value: Members) => {
  const all = value as unknown as Members[];
  assert.ok(all.length > 1);
  for (const each of all) assert.match(each['name'], /^FEATURE_NAME_[A-Z_]+$/);
  const hook = all.filter((each) => each['name'] === 'FEATURE_NAME_WEBHOOK');
  assert.deepEqual(hook, [{ name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example/first' }]);
};
feature.answered('OP-SET-FEATURE-09 OP-SET-FEATURE-10 OP-SET-FEATURE-11', 'features', isListed);
statement('OP-SET-FEATURE-06', 'a value overrides the one that a feature has', async () => {
  await feature.done();
  const value = 'https://hooks.example/second';
  const { features } = await done('set_organization_feature', 'SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_WEBHOOK',
    value,
  });
  const hook = features.filter((each: Members) => each['name'] === 'FEATURE_NAME_WEBHOOK');
  assert.deepEqual(hook, [{ name: 'FEATURE_NAME_WEBHOOK', value }]);
});

// delete_wallet_accounts
const deletion = contractOf(
  worlds,
  'delete_wallet_accounts',
  'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
  (_, { walletAccountId }) => ({ walletAccountIds: [walletAccountId], deleteWithoutExport: true }),
);
deletion.type('OP-DELETE-WALLET-ACCOUNTS-02');
deletion.required('OP-DELETE-WALLET-ACCOUNTS-03', 'walletAccountIds', [
  ...otherThan.list,
  ['x'],
  [1],
]);
statement(
  'OP-DELETE-WALLET-ACCOUNTS-04',
  'deleteWithoutExport is a boolean that may be left out',
  async () => {
    const parameters = deletion.parameters();
    const field = 'parameters.deleteWithoutExport';
    for (const wrong of otherThan.boolean.slice(1)) {
      assertNames(
        await deletion.send(changed(parameters, 'deleteWithoutExport', wrong)),
        field,
        wrong,
      );
    }
    const without = { walletAccountIds: parameters['walletAccountIds'] };
    // If absent it is false, and the account was never exported.
    const answer = await deletion.send(without);
    assert.match(answer.body.message, /has not been exported/);
  },
);
deletion.intent('OP-DELETE-WALLET-ACCOUNTS-07', 'deleteWalletAccountsIntent');
deletion.result('OP-DELETE-WALLET-ACCOUNTS-08', 'deleteWalletAccountsResult');
deletion.answered('OP-DELETE-WALLET-ACCOUNTS-09', 'walletAccountIds', (value, of) =>
  assert.deepEqual(value, [of.walletAccountId]),
);

// update_wallet
const wallet = contractOf(worlds, 'update_wallet', 'ACTIVITY_TYPE_UPDATE_WALLET', (_, of) => ({
  walletId: of.walletId,
  walletName: 'Renamed',
}));
wallet.type('OP-UPDATE-WALLET-02');
wallet.required('OP-UPDATE-WALLET-03', 'walletId', [...otherThan.text, '', 'wallet']);
wallet.optional('OP-UPDATE-WALLET-04', 'walletName', ['Other'], otherThan.text.slice(1));
wallet.intent('OP-UPDATE-WALLET-05', 'updateWalletIntent');
wallet.result('OP-UPDATE-WALLET-06', 'updateWalletResult');
wallet.answered('OP-UPDATE-WALLET-07', 'walletId', (value, of) => assert.equal(value, of.walletId));

// update_organization_name
const rename = contractOf(
  worlds,
  'update_organization_name',
  'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
  () => ({ organizationName: 'Renamed' }),
);
rename.type('OP-UPDATE-ORG-NAME-02');
rename.required('OP-UPDATE-ORG-NAME-03', 'organizationName', [...otherThan.text, '']);
rename.intent('OP-UPDATE-ORG-NAME-04', 'updateOrganizationNameIntent');
rename.result('OP-UPDATE-ORG-NAME-05', 'updateOrganizationNameResult');
rename.answered('OP-UPDATE-ORG-NAME-06', 'organizationId', (value, of) =>
  assert.equal(value, of.organizationId),
);
rename.answered('OP-UPDATE-ORG-NAME-07', 'organizationName', (value) =>
  assert.equal(value, 'Renamed'),
);

// create_read_only_session
const reading = contractOf(
  worlds,
  'create_read_only_session',
  'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION',
  () => ({}),
);
reading.type('OP-READ-ONLY-SESSION-02');
statement(
  'OP-READ-ONLY-SESSION-03 LIM-03 AUTH-13',
  'a read-only session reads for an hour and no longer',
  async () => {
    const { result, createdAt } = await reading.done();
    const { session } = result.createReadOnlySessionResult;
    const endMs = Math.floor(Date.parse(createdAt) / 1000) * 1000 + 3_600_000;
    const { service } = worlds().done;
    const { organizationId } = childOf(worlds().done);
    const ask = async () => {
      const body = Buffer.from(JSON.stringify({ organizationId }));
      return (await service.send('query', 'whoami', body, [{ name: 'x-session', value: session }]))
        .status;
    };
    assert.equal(await ask(), 200);
    service.advance(endMs - 1 - service.now());
    assert.equal(await ask(), 200);
    service.advance(1);
    assert.equal(await ask(), 401);
  },
);
statement('OP-READ-ONLY-SESSION-04', 'its parameters are an empty object', async () => {
  assertAccepted(await reading.send({}));
  assertNames(await reading.send({ userId: 'x' }), 'parameters.userId', 'x');
});
reading.intent('OP-READ-ONLY-SESSION-05 OP-READ-ONLY-SESSION-06', 'createReadOnlySessionIntent');
reading.result('OP-READ-ONLY-SESSION-07', 'createReadOnlySessionResult');
reading.answered('OP-READ-ONLY-SESSION-08', 'organizationId', (value, of) =>
  assert.equal(value, of.organizationId),
);
reading.answered('OP-READ-ONLY-SESSION-11', 'organizationName', text);
reading.answered('OP-READ-ONLY-SESSION-12', 'userId', (value, of) =>
  assert.equal(value, of.rootUserId),
);
reading.answered('OP-READ-ONLY-SESSION-13', 'username', (value) =>
  assert.equal(value, 'Root of child'),
);
reading.answered('OP-READ-ONLY-SESSION-14', 'session', text);
reading.answered('OP-READ-ONLY-SESSION-15', 'sessionExpiry', (value) =>
  assert.match(String(value), /^\d{10}$/),
);

// init_import_private_key
const importing = contractOf(
  worlds,
  'init_import_private_key',
  'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
  (_, { rootUserId: userId }) => ({ userId }),
);
importing.type('OP-INIT-IMPORT-02');
importing.required('OP-INIT-IMPORT-03', 'userId', [...otherThan.text, '', 'user']);
importing.intent('OP-INIT-IMPORT-04', 'initImportPrivateKeyIntent');
importing.result('OP-INIT-IMPORT-05', 'initImportPrivateKeyResult');
importing.answered('OP-INIT-IMPORT-06', 'importBundle', text);
importing.answered('OP-INIT-IMPORT-07', 'importBundle', (value, { organizationId, rootUserId }) => {
  const { data, dataSignature } = JSON.parse(String(value));
  assert.match(dataSignature, /^30[0-9a-f]+$/);
  const signed = JSON.parse(Buffer.from(data, 'hex').toString());
  assert.match(signed.targetPublic, /^04[0-9a-f]{128}$/);
  assert.deepEqual([signed.organizationId, signed.userId], [organizationId, rootUserId]);
});

// restore_tvc_deployment
const restoring = contractOf(
  worlds,
  'restore_tvc_deployment',
  'ACTIVITY_TYPE_RESTORE_TVC_DEPLOYMENT',
  (_, { deletedDeploymentId: deploymentId }) => ({ deploymentId }),
);
restoring.type('OP-RESTORE-TVC-02');
statement('OP-RESTORE-TVC-03', 'a deleted deployment is there again', async () => {
  await restoring.done();
  const { organizationId, key, deletedDeploymentId } = childOf(worlds().done);
  const body = { deploymentId: deletedDeploymentId };
  const as = { organizationId, key };
  const answer = await worlds().done.service.query('get_tvc_deployment', body, as);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  // It can only be restored once, because it is no longer deleted then.
  const again = await worlds().done.service.submit(
    'restore_tvc_deployment',
    'ACTIVITY_TYPE_RESTORE_TVC_DEPLOYMENT',
    body,
    as,
  );
  assert.match(again.body.message, /it is not deleted$/);
});
restoring.required('OP-RESTORE-TVC-04', 'deploymentId', [...otherThan.text, '', 'deployment']);
restoring.intent('OP-RESTORE-TVC-05', 'restoreTvcDeploymentIntent');
restoring.result('OP-RESTORE-TVC-06', 'restoreTvcDeploymentResult');
restoring.answered('OP-RESTORE-TVC-07', 'deploymentId', (value, of) =>
  assert.equal(value, of.deletedDeploymentId),
);
