// An ID token registers an account for whoever holds the key that its nonce names, and for nobody who
// has read it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Json } from '../../../src/core/schema/json.ts';
import { attestedIdentity } from '../../pipeline/attested_requests.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused } from '../checks.ts';
import { makeCredential } from '../oauth/oauth_requests.ts';
import { resultOf } from '../one_time_codes/otp_requests.ts';
import { addChild } from '../other_callers.ts';
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
  assert.match(answer.body.message, /expected it to name the key that signs the request/);
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

test('create_sub_organization: a token without a signature of the client opens for its holder alone', async (t) => {
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
  const mine = () => provider(tokenOf(service));
  const verified = () => provider(tokenOf(service, 'victim', { email, email_verified: true }));
  const thief = describedKey('thief');
  const refused: readonly (readonly object[])[] = [
    [user({ oauthProviders: [mine()], apiKeys: [thief] })],
    [user({ oauthProviders: [mine()], apiKeys: [describedKey('victim'), thief] })],
    [user({ oauthProviders: [mine()] }), { ...user({ apiKeys: [thief] }), userName: 'Thief' }],
    [user({ oauthProviders: [mine()], userEmail: email })],
    [user({ oauthProviders: [mine()], userPhoneNumber: '+4930123456' })],
    [user({ oauthProviders: [mine(), provider(tokenOf(service, 'thief'))] })],
    [user({ oauthProviders: [verified()], userEmail: 'thief@example.com' })],
    // Of an application that is not the parent's own, its owner has tokens for other keys.
    [user({ oauthProviders: [mine(), sameSubject('victim')] })],
  ];
  for (const rootUsers of refused) refusedForKey(await signUp(rootUsers));
  await makeCredential(service, { clientId: 'another' });
  const allowed: readonly object[] = [
    user({ oauthProviders: [mine()] }),
    user({ oauthProviders: [mine()], apiKeys: [describedKey('victim')] }),
    user({ oauthProviders: [mine(), sameSubject('victim')] }),
    user({ oauthProviders: [verified()], userEmail: 'Victim@example.com' }),
  ];
  for (const each of allowed) resultOf(await signUp([each]));
});

test('a stamp of the key that the token names registers it', async (t) => {
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
