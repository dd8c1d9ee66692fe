import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKey } from '../../support/harness.ts';
import { createTestIssuer, publish } from '../../support/identity_provider.ts';
import { describedPasskey } from '../authenticators/authenticator_requests.ts';
import { assertRefused, assertViolation } from '../checks.ts';
import { alice, usageSignature, verifiedToken } from '../one_time_codes/otp_requests.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { logIn } from '../sessions/session_requests.ts';
import { describedKey } from '../users/user_requests.ts';
import { accepted, callProxy, configure, nobody, startProxyService } from './proxy_requests.ts';

const google = createTestIssuer('https://accounts.google.com');

/** Starts a service whose user Alice signed up with every kind of credential. */
async function startWithAlice() {
  const service = await startProxyService();
  publish(service, google);
  const verificationToken = await verifiedToken(service);
  const passkey = describedPasskey('phone');
  const apiKeys = [describedKey('alice')];
  const oidcToken = google.token(service, { sub: 'alice' });
  const oauthProviders = [{ providerName: 'Google', oidcToken }];
  const clientSignature = usageSignature(verificationToken, {
    type: 'USAGE_TYPE_SIGNUP',
    signupV2: { email: alice, apiKeys, authenticators: [passkey], oauthProviders },
  });
  const { organizationId } = await accepted(
    callProxy(service, 'signup_v2', {
      userName: 'Alice',
      userEmail: alice,
      organizationName: 'Of Alice',
      apiKeys,
      authenticators: [passkey],
      oauthProviders,
      verificationToken,
      clientSignature,
    }),
  );
  const find = (filterType: string, filterValue: string, more: object = {}) =>
    callProxy(service, 'account', { filterType, filterValue, ...more });
  const { credentialId } = passkey.attestation;
  return { service, organizationId, credentialId, oidcToken, find };
}

/** Answers lookups without proof, as earlier versions did and as a setting still allows. */
const tellsEverybody = { verificationTokenRequiredForGetAccountPii: false };

test('account: finds an account by each of its credentials, contacts and names', async (t) => {
  const { service, organizationId, credentialId, oidcToken, find } = await startWithAlice();
  t.after(() => service.close());
  await configure(service, tellsEverybody);
  const claims = JSON.stringify({ iss: google.issuer, aud: 'app', sub: 'alice' });
  // A stranger could have registered her key too, so it is found only after its first signature.
  assert.deepEqual(await accepted(find('PUBLIC_KEY', testKey('alice').publicKey)), {});
  await logIn(service, 'session', {}, { organizationId, key: testKey('alice') });
  const values: readonly (readonly [string, string])[] = [
    ['CREDENTIAL_ID', credentialId],
    ['CREDENTIAL_ID', Buffer.from(credentialId, 'base64url').toString('base64')],
    ['PUBLIC_KEY', testKey('alice').publicKey],
    ['PUBLIC_KEY', testKey('alice').publicKey.toUpperCase()],
    ['NAME', 'Of Alice'],
    ['USERNAME', 'Alice'],
    ['EMAIL', alice],
    ['EMAIL', 'Alice@Example.com'],
    ['OIDC_TOKEN', oidcToken],
    ['OIDC_CLAIMS', claims],
  ];
  for (const [type, value] of values) {
    assert.deepEqual(await accepted(find(type, value)), { organizationId }, type);
  }
});

test('account: no match is not an error, and claimed contacts match no account', async (t) => {
  const { service, find } = await startWithAlice();
  t.after(() => service.close());
  await configure(service, tellsEverybody);
  await accepted(
    callProxy(service, 'signup_v2', {
      ...nobody,
      apiKeys: [describedKey('mallory')],
      userEmail: 'victim@example.com',
      userPhoneNumber: '+4930123456',
    }),
  );
  const values: readonly (readonly [string, string])[] = [
    ['CREDENTIAL_ID', 'bm90aGluZw'],
    ['PUBLIC_KEY', testKey('nobody').publicKey],
    ['NAME', 'Nothing'],
    ['USERNAME', 'Nobody'],
    ['EMAIL', 'victim@example.com'],
    ['PHONE_NUMBER', '+4930123456'],
    ['OIDC_TOKEN', google.token(service, { sub: 'bob' })],
    ['OIDC_CLAIMS', JSON.stringify({ iss: google.issuer, aud: 'other', sub: 'alice' })],
  ];
  for (const [type, value] of values) assert.deepEqual(await accepted(find(type, value)), {}, type);
});

test('account: refuses malformed requests and invalid tokens', async (t) => {
  const { service, find } = await startWithAlice();
  t.after(() => service.close());
  assertViolation(await callProxy(service, 'account', {}), 'filterType');
  assertViolation(await callProxy(service, 'account'), 'filterType');
  assertViolation(await find('CHAIN', 'x'), 'filterType');
  assertViolation(await find('EMAIL', ''), 'filterValue');
  for (const value of [
    'x',
    '[]',
    '{"iss":"a","aud":"b"}',
    '{"iss":"a","iss":"a","aud":"b","sub":"c"}',
  ]) {
    assertViolation(await find('OIDC_CLAIMS', value), 'filterValue');
  }
  const stranger = createTestIssuer(google.issuer, 'stranger');
  const answer = await find('OIDC_TOKEN', stranger.token(service, { sub: 'alice' }));
  assertRefused(answer, 400, 3);
  assert.equal(answer.body.turnkeyErrorCode, 'INVALID_OIDC_TOKEN');
});

test('account: two accounts with the same value are a conflict', async (t) => {
  const { service, find } = await startWithAlice();
  t.after(() => service.close());
  await configure(service, tellsEverybody);
  const { organizationId } = await addChild(service);
  await changeOrganization(
    service,
    (draft) => {
      draft.setHead({ name: 'Of Alice' });
      return undefined;
    },
    organizationId,
  );
  const answer = await find('NAME', 'Of Alice');
  assertRefused(answer, 401, 16);
  assert.equal(answer.body.turnkeyErrorCode, 'CREDENTIAL_CONFLICT');
});

test('account: only their holders find contacts and names, unless a setting allows all', async (t) => {
  const { service, organizationId, credentialId, oidcToken: own, find } = await startWithAlice();
  t.after(() => service.close());
  await configure(service, { socialLinkingClientIds: ['linked'] });
  const refused = async (answer: ReturnType<typeof find>) => {
    assertRefused(await answer, 400, 3);
    assert.match((await answer).body.message, /^invalid verification token: /);
  };
  for (const [type, value] of [
    ['EMAIL', alice],
    ['EMAIL', 'nobody@example.com'],
    ['PHONE_NUMBER', '+4930123456'],
    ['NAME', 'Of Alice'],
    ['USERNAME', 'Alice'],
  ] as const) {
    await refused(find(type, value));
  }
  assert.deepEqual(await accepted(find('CREDENTIAL_ID', credentialId)), { organizationId });
  const verificationToken = await verifiedToken(service);
  assert.deepEqual(await accepted(find('EMAIL', alice, { verificationToken })), { organizationId });
  assert.deepEqual(await accepted(find('USERNAME', alice, { verificationToken })), {});
  await refused(find('EMAIL', 'bob@example.com', { verificationToken }));
  await refused(find('EMAIL', alice, { verificationToken: 'x' }));

  const tokenOf = (claims: object, issuer = google) =>
    issuer.token(service, {
      sub: 'a',
      aud: 'linked',
      email: alice,
      email_verified: true,
      ...claims,
    });
  assert.deepEqual(await accepted(find('EMAIL', alice, { oidcToken: tokenOf({}) })), {
    organizationId,
  });
  const elsewhere = createTestIssuer();
  publish(service, elsewhere);
  // Valid tokens that prove nothing about this contact; public clients send the token they have.
  for (const oidcToken of [
    tokenOf({ aud: 'another' }),
    tokenOf({ email_verified: false }),
    tokenOf({ email: 'bob@example.com' }),
    tokenOf({}, elsewhere),
  ]) {
    assert.deepEqual(await accepted(find('EMAIL', alice, { oidcToken })), {});
  }
  const claims = JSON.stringify({ iss: google.issuer, aud: 'app', sub: 'alice' });
  assert.deepEqual(await accepted(find('OIDC_CLAIMS', claims)), {});
  const ofAnother = google.token(service, { sub: 'bob' });
  assert.deepEqual(await accepted(find('OIDC_CLAIMS', claims, { oidcToken: ofAnother })), {});
  assert.deepEqual(await accepted(find('OIDC_CLAIMS', claims, { oidcToken: own })), {
    organizationId,
  });
});

test('account: a name that equals a contact finds the account that verified the contact', async (t) => {
  const { service, organizationId, find } = await startWithAlice();
  t.after(() => service.close());
  await accepted(
    callProxy(service, 'signup_v2', {
      ...nobody,
      userName: alice,
      organizationName: alice,
      apiKeys: [describedKey('mallory')],
    }),
  );
  const verificationToken = await verifiedToken(service);
  for (const type of ['USERNAME', 'NAME']) {
    assert.deepEqual(await accepted(find(type, alice, { verificationToken })), {}, type);
  }
  await changeOrganization(
    service,
    (draft) => {
      draft.setHead({ name: alice });
      return undefined;
    },
    organizationId,
  );
  assert.deepEqual(await accepted(find('NAME', alice, { verificationToken })), { organizationId });
});
