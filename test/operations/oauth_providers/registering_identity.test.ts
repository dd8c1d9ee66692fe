// An ID token registers an account only for the holder of the key that its nonce names, not for its
// readers.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { registrationAgeSeconds } from '../../../src/core/auth/oidc_token.ts';
import type { Json } from '../../../src/core/schema/json.ts';
import { attestedIdentity, attestedStamp } from '../../pipeline/attested_requests.ts';
import { type Sender, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { activityBody, assertRefused } from '../checks.ts';
import {
  session as anySession,
  makeMfaPolicy,
  oauth,
  stepsOf,
} from '../mfa_policies/mfa_requests.ts';
import { makeCredential } from '../oauth/oauth_requests.ts';
import { resultOf } from '../one_time_codes/otp_requests.ts';
import { addChild } from '../other_callers.ts';
import { askTwoNodes } from '../second_node.ts';
import { describedKey, describedUser, makeUser } from '../users/user_requests.ts';

const strict = { deployment: { acceptsUnboundIdentities: false } };
const victim = testKey('victim');

const tokenOf = (
  service: TestService,
  subject = 'victim',
  changes: { readonly [claim: string]: Json } = {},
) => attestedIdentity(service, victim, subject, changes).token;

const provider = (oidcToken: string) => ({ providerName: 'x', oidcToken });
const sameSubject = (subject: string) => ({
  providerName: 'y',
  oidcClaims: { iss: 'https://issuer.test', sub: subject, aud: 'another' },
});

function refusedForKey(answer: Awaited<ReturnType<TestService['submit']>>) {
  assertRefused(answer, 400, 3);
  assert.match(answer.body.message, /expected the hash of the key that signs the request/);
}

test('create_oauth_providers, create_users: only a stamp of the named key registers a token', async (t) => {
  const service = await startTestService(strict);
  t.after(() => service.close());
  const thief = await addChild(service);
  const userId = await makeUser(service, 'Thief', {}, thief);
  const oauthProviders = [provider(tokenOf(service))];
  const add = () =>
    service.submit(
      'create_oauth_providers',
      'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2',
      { userId, oauthProviders },
      thief,
    );
  refusedForKey(await add());
  const withKey = { apiKeys: [describedKey('victim')], oauthProviders };
  for (const user of [describedUser('x', { oauthProviders }), describedUser('y', withKey)]) {
    const parameters = { users: [user] };
    const type = 'ACTIVITY_TYPE_CREATE_USERS_V4';
    refusedForKey(await service.submit('create_users', type, parameters, thief));
  }
});

test('create_sub_organization: without a signature of the client, a token serves only its holder', async (t) => {
  const service = await startTestService(strict);
  t.after(() => service.close());
  const none = { apiKeys: [], authenticators: [], oauthProviders: [] };
  const signUp = (rootUsers: readonly object[]) =>
    service.submit('create_sub_organization', 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 'New',
      rootUsers,
      rootQuorumThreshold: 1,
    });
  const user = (changes: object) => ({ userName: 'Victim', ...none, ...changes });
  const email = 'victim@example.com';
  let serial = 0;
  const fresh = (claims = {}) => {
    serial += 1;
    return provider(tokenOf(service, 'victim', { jti: String(serial), ...claims }));
  };
  const mine = () => fresh();
  const verified = () => fresh({ email, email_verified: true });
  const thief = describedKey('thief');
  const refused: readonly (readonly object[])[] = [
    [user({ oauthProviders: [mine()], apiKeys: [thief] })],
    [user({ oauthProviders: [mine()], apiKeys: [describedKey('victim'), thief] })],
    [user({ oauthProviders: [mine()] }), { ...user({ apiKeys: [thief] }), userName: 'Thief' }],
    [user({ oauthProviders: [mine()], userPhoneNumber: '+4930123456' })],
    [user({ oauthProviders: [mine(), provider(tokenOf(service, 'thief'))] })],
    [user({ oauthProviders: [verified()], userEmail: 'thief@example.com' })],
    // The owner of an application foreign to the parent has tokens for other keys.
    [user({ oauthProviders: [mine(), sameSubject('victim')] })],
  ];
  for (const rootUsers of refused) refusedForKey(await signUp(rootUsers));
  await makeCredential(service, { clientId: 'another' });
  const allowed: readonly object[] = [
    user({ oauthProviders: [mine()] }),
    user({ oauthProviders: [mine()], apiKeys: [describedKey('victim')] }),
    user({ oauthProviders: [mine(), sameSubject('victim')] }),
    user({ oauthProviders: [verified()], userEmail: 'Victim@example.com' }),
    // A user of the parent states the address, and the token does not contradict it.
    user({ oauthProviders: [mine()], userEmail: email }),
  ];
  for (const each of allowed) resultOf(await signUp([each]));
});

test('a stamp of the key in the token registers the account', async (t) => {
  const service = await startTestService(strict);
  t.after(() => service.close());
  const child = await addChild(service);
  const nonce = createHash('sha256').update(child.key.publicKey).digest('hex');
  const { userId } = (await service.query('whoami', {}, child)).body;
  const oauthProviders = [provider(tokenOf(service, 'own', { nonce }))];
  resultOf(
    await service.submit(
      'create_oauth_providers',
      'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2',
      { userId, oauthProviders },
      child,
    ),
  );
});

const addType = 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2';

async function addToSelf(service: TestService, sender: Sender, token: string) {
  const { userId } = (await service.query('whoami', {}, sender)).body;
  const parameters = { userId, oauthProviders: [provider(token)] };
  return service.submit('create_oauth_providers', addType, parameters, sender);
}

function refusedAsUsed(answer: Awaited<ReturnType<TestService['submit']>>) {
  assertRefused(answer, 400, 3);
  assert.match(answer.body.message, /^invalid OIDC token: it was used before/);
}

test('create_oauth_providers: a user adds an account once, by a new token for a new key', async (t) => {
  const service = await startTestService(strict);
  t.after(() => service.close());
  const child = await addChild(service);
  const seconds = Math.floor(service.now() / 1000);
  const old = tokenOf(service, 'own', { iat: seconds - registrationAgeSeconds - 60 });
  refusedForKey(await addToSelf(service, child, old));
  const token = tokenOf(service, 'own');
  const added = resultOf(await addToSelf(service, child, token));
  refusedAsUsed(await addToSelf(service, {}, token));
  const { userId } = (await service.query('whoami', {}, child)).body;
  const type = 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS';
  const parameters = { userId, providerIds: added['providerIds'] };
  resultOf(await service.submit('delete_oauth_providers', type, parameters, child));
  refusedAsUsed(await addToSelf(service, child, token));
  const again = tokenOf(service, 'own', { jti: 'another' });
  resultOf(await addToSelf(service, child, again));
});

test('create_oauth_providers: of several requests with one token, on two nodes, one adds it', async (t) => {
  const service = await startTestService(strict);
  t.after(() => service.close());
  const token = tokenOf(service, 'own');
  const { userId } = (await service.query('whoami', {})).body;
  const once = ['done', ...Array.from({ length: 5 }, () => 'oidc_token_invalid')];
  const bodies = once.map((_, i) => {
    const oauthProviders = [{ providerName: `x ${i}`, oidcToken: token }];
    return activityBody(service, addType, { userId, oauthProviders });
  });
  const ask = await askTwoNodes(service);
  const refusals = await ask('create_oauth_providers', bodies);
  assert.deepEqual(refusals.map((code) => code ?? 'done').sort(), once);
});

test('create_oauth_providers: a token of a sign-up or login adds nothing for another reader', async (t) => {
  const service = await startTestService(strict);
  t.after(() => service.close());
  const thief = await addChild(service);
  const none = { apiKeys: [], authenticators: [], oauthProviders: [] };
  const signUpToken = tokenOf(service);
  const signedUp = await service.submit(
    'create_sub_organization',
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: 'New',
      rootUsers: [{ userName: 'Victim', ...none, oauthProviders: [provider(signUpToken)] }],
      rootQuorumThreshold: 1,
    },
  );
  const organizationId = String(resultOf(signedUp)['subOrganizationId']);
  refusedAsUsed(await addToSelf(service, thief, signUpToken));
  const login = (oidcToken: string) =>
    service.submit(
      'oauth_login',
      'ACTIVITY_TYPE_OAUTH_LOGIN',
      { oidcToken, publicKey: victim.publicKey },
      { organizationId },
    );
  const loginToken = tokenOf(service, 'victim', { jti: 'login' });
  resultOf(await login(loginToken));
  refusedAsUsed(await addToSelf(service, thief, loginToken));
  // Public clients send the token of the sign-up again to log in.
  for (const token of [loginToken, signUpToken]) resultOf(await login(token));
  const stamped = async (operation: string, type: string, parameters: Record<string, unknown>) => {
    service.advance(1);
    const attestation = attestedIdentity(service, victim, 'victim', { jti: operation });
    const body = activityBody(service, type, parameters, organizationId);
    const stamp = attestedStamp(body, victim, attestation);
    const { status, body: answer } = await service.send('submit', operation, body, [stamp]);
    assert.equal(status, 200, answer.message);
    refusedAsUsed(await addToSelf(service, thief, attestation.token));
    return answer.activity;
  };
  const session = { publicKey: victim.publicKey, expirationSeconds: '900' };
  await stamped('stamp_login', 'ACTIVITY_TYPE_STAMP_LOGIN', session);
  // A token counts as used by an activity that waits, too, and by a rejection.
  const [userId] = resultOf(signedUp)['rootUserIds'];
  const requiredAuthenticationMethods = stepsOf([oauth], [anySession]);
  const own = { organizationId, key: victim };
  await makeMfaPolicy(service, userId, { requiredAuthenticationMethods }, own);
  const name = { organizationName: 'Renamed' };
  const renameType = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const { status, fingerprint } = await stamped('update_organization_name', renameType, name);
  assert.equal(status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED');
  const rejectType = 'ACTIVITY_TYPE_REJECT_ACTIVITY';
  const rejected = await stamped('reject_activity', rejectType, { fingerprint });
  assert.equal(rejected.status, 'ACTIVITY_STATUS_REJECTED');
});
