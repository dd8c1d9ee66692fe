// Stamps by keys that a token attests: for a contact verified by a one-time code, or an account at an
// identity provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityBody, assertRefused, storedCount } from '../operations/checks.ts';
import { addChild, changeOrganization } from '../operations/other_callers.ts';
import { claimsOf, resultOf } from '../operations/sessions/session_requests.ts';
import { makeUser, setFeatures } from '../operations/users/user_requests.ts';
import { startTestService, type TestKey, type TestService, testKey } from '../support/harness.ts';
import {
  type Attestation,
  addProvider,
  attestedContact,
  attestedIdentity,
  attestedStamp,
  issuer,
} from './attested_requests.ts';
import { bytesOf, clientCodeOf } from './requests.ts';

const email = 'alice@example.com';
const key = testKey('attested');
const features = ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'] as const;

async function startedWithAlice(t: { after: (done: () => void) => void }) {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeatures(service, features);
  const userPhoneNumber = '+14155552671';
  const alice = await makeUser(service, 'Alice', { userEmail: email, userPhoneNumber });
  return { service, alice };
}

function whoami(
  service: TestService,
  attestation: Attestation,
  options: { key?: TestKey; organizationId?: string; members?: object } = {},
) {
  const { organizationId = service.root.organizationId } = options;
  const body = bytesOf({ organizationId });
  const header = attestedStamp(body, options.key ?? key, attestation, options.members);
  return service.send('query', 'whoami', body, [header]);
}

function logIn(service: TestService, attestation: Attestation, publicKey = key.publicKey) {
  const body = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey });
  return service.send('submit', 'stamp_login', body, [attestedStamp(body, key, attestation)]);
}

test('a verified contact identifies its user', async (t) => {
  const { service, alice } = await startedWithAlice(t);
  for (const contact of [email, '+14155552671']) {
    const { status, body } = await whoami(service, attestedContact(service, key, contact));
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.userId, alice);
  }
  const stranger = await whoami(service, attestedContact(service, key, 'bob@example.com'));
  assertRefused(stranger, 401, 16);
  assert.equal(clientCodeOf(stranger), 'CREDENTIAL_NOT_FOUND');
});

test('an attested stamp logs in, twice with one key, and votes under its own scheme', async (t) => {
  const { service, alice } = await startedWithAlice(t);
  for (let i = 0; i < 2; i += 1) {
    const attestation = attestedContact(service, key, email);
    const answer = await logIn(service, attestation);
    const { session } = resultOf(answer);
    assert.equal(claimsOf(session, service).userId, alice);
    const [vote] = answer.body.activity.votes;
    assert.equal(vote.scheme, 'SIGNATURE_SCHEME_TK_ATTESTED_P256');
    assert.equal(vote.publicKey, key.publicKey);
  }
  const { body } = await service.query('get_api_keys', { userId: alice });
  assert.equal(body.apiKeys.length, 2, 'the second login took the place of the first');
  assert.equal((await service.query('whoami', {}, { key })).body.userId, alice);
});

test('a vote uses up its token, with any outcome', async (t) => {
  const { service, alice } = await startedWithAlice(t);
  await changeOrganization(service, (draft) => {
    const userIds = [...draft.head.rootQuorum.userIds, alice];
    draft.setHead({ rootQuorum: { threshold: 2, userIds } });
    return undefined;
  });
  const rename = async (organizationName: string) => {
    const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
    const { body } = await service.submit('update_organization_name', type, { organizationName });
    assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    return body.activity.fingerprint;
  };
  const vote = (word: 'approve' | 'reject', fingerprint: string, attestation: Attestation) => {
    const type = `ACTIVITY_TYPE_${word.toUpperCase()}_ACTIVITY`;
    const body = activityBody(service, type, { fingerprint });
    const stamp = attestedStamp(body, key, attestation);
    return service.send('submit', `${word}_activity`, body, [stamp]);
  };
  for (const [word, status] of [
    ['reject', 'REJECTED'],
    ['approve', 'COMPLETED'],
  ] as const) {
    const attestation = attestedContact(service, key, email);
    const voted = await vote(word, await rename(`First to ${word}`), attestation);
    assert.equal(voted.body.activity.status, `ACTIVITY_STATUS_${status}`);
    const other = await rename(`Second to ${word}`);
    for (const again of ['approve', 'reject'] as const) {
      const refused = await vote(again, other, attestation);
      assertRefused(refused, 400, 3);
      assert.match(refused.body.message, /it was used before/);
    }
  }
});

test('an expired or forged token, or one of another key or organization, is refused', async (t) => {
  const { service } = await startedWithAlice(t);
  const good = attestedContact(service, key, email);
  const child = await addChild(service);
  const cases: readonly [Attestation, RegExp][] = [
    [attestedContact(service, key, email, { expiresAtMs: service.now() }), /expired/],
    [attestedContact(service, testKey('other'), email), /made for another key/],
    [attestedContact(service, key, email, { verificationType: 'OTP_TYPE_FAX' }), /unknown/],
    [{ ...good, token: good.token.slice(0, -2) }, /attestation of the stamp/],
    [{ ...good, token: `${good.token}A` }, /attestation of the stamp/],
    [{ ...good, token: 'x.y.z' }, /attestation of the stamp/],
    [
      attestedContact(service, key, email, { organizationId: child.organizationId }),
      /attested identity could not be found/,
    ],
  ];
  for (const [attestation, text] of cases) {
    const refused = await whoami(service, attestation);
    assertRefused(refused, 401, 16);
    assert.match(refused.body.message, text);
  }
  for (const members of [
    { signature: '00' },
    { publicKey: testKey('other').publicKey },
    { scheme: 'STAMP_ATTESTED_SCHEME_P256' },
    { publicKeyAttestation: 7 },
  ]) {
    const refused = await whoami(service, good, { members });
    assertRefused(refused, 401, 16);
    assert.equal(clientCodeOf(refused), 'SIGNATURE_INVALID');
  }
  const stored = await storedCount(service);
  const body = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: key.publicKey });
  const other = activityBody(service, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: key.publicKey });
  const replayed = await service.send('submit', 'stamp_login', body, [
    attestedStamp(other, key, good),
  ]);
  assert.equal(clientCodeOf(replayed), 'SIGNATURE_INVALID');
  assert.deepEqual(await storedCount(service), stored);
});

test('a contact counts if its login is enabled, and for only one user', async (t) => {
  const { service } = await startedWithAlice(t);
  await setFeatures(service, ['FEATURE_NAME_SMS_AUTH']);
  const disabled = await whoami(service, attestedContact(service, key, email));
  assertRefused(disabled, 403, 7);
  assert.match(disabled.body.message, /^OTP by e-mail is disabled /);
  await setFeatures(service, features);
  await makeUser(service, 'Second', { userEmail: email.toUpperCase() });
  const ambiguous = await whoami(service, attestedContact(service, key, email));
  assert.equal(clientCodeOf(ambiguous), 'CREDENTIAL_CONFLICT');
});

test('an ID token identifies the user with this account', async (t) => {
  const { service, alice } = await startedWithAlice(t);
  await addProvider(service, alice, 'subject');
  const good = attestedIdentity(service, key, 'subject');
  assert.equal((await whoami(service, good)).body.userId, alice);
  const answer = await logIn(service, good, testKey('session').publicKey);
  assert.equal(claimsOf(resultOf(answer).session, service).userId, alice);
  for (const [attestation, code] of [
    [attestedIdentity(service, key, 'another'), 'CREDENTIAL_NOT_FOUND'],
    [attestedIdentity(service, key, 'subject', { aud: 'other' }), 'CREDENTIAL_NOT_FOUND'],
    [attestedIdentity(service, testKey('other'), 'subject'), 'SIGNATURE_INVALID'],
    [attestedIdentity(service, key, 'subject', { nonce: '' }), 'SIGNATURE_INVALID'],
    [attestedIdentity(service, key, 'subject', { exp: 1 }), 'INVALID_OIDC_TOKEN'],
    [{ ...good, scheme: 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN' }, 'SIGNATURE_INVALID'],
  ] as const) {
    const refused = await whoami(service, attestation);
    assert.equal(clientCodeOf(refused), code, refused.body.message);
  }
  service.outside.issuers.delete(issuer);
  assert.equal((await whoami(service, good)).status, 503);
});

test('a user of a child with a verified contact may name the parent', async (t) => {
  const { service } = await startedWithAlice(t);
  const child = await addChild(service);
  const { body } = await service.query('whoami', {}, child);
  const contact = 'carol@example.com';
  const put = (organizationId: string, userId: string, isVerified: boolean) =>
    changeOrganization(
      service,
      (draft) => {
        const user = draft.get('user', userId);
        assert(user !== undefined);
        const verified = isVerified ? { emailVerified: true as const } : {};
        draft.put('user', { ...user, email: contact, ...verified });
        draft.setHead({ features: features.map((name) => ({ name })) });
        return undefined;
      },
      organizationId,
    );
  let attestation = attestedContact(service, key, contact);
  await put(child.organizationId, body.userId, false);
  // A claimed contact draws no login into the claiming organization.
  assert.equal(clientCodeOf(await whoami(service, attestation)), 'CREDENTIAL_NOT_FOUND');
  await put(child.organizationId, body.userId, true);
  assert.equal((await whoami(service, attestation)).body.userId, body.userId);
  const answer = await logIn(service, attestation, testKey('session').publicKey);
  assert.equal(answer.body.activity.organizationId, child.organizationId);
  attestation = attestedContact(service, key, contact);

  // A user of the parent with the same contact does not interfere, while logins by code are disabled there.
  await makeUser(service, 'Carol of the parent', { userEmail: contact });
  await setFeatures(service, []);
  assert.equal((await whoami(service, attestation)).body.userId, body.userId);
  const again = await logIn(service, attestation, testKey('session').publicKey);
  assert.equal(again.body.activity.organizationId, child.organizationId);
  attestation = attestedContact(service, key, contact);

  const second = await addChild(service);
  const { body: other } = await service.query('whoami', {}, second);
  await put(second.organizationId, other.userId, true);
  const { organizationId } = second;
  for (const refused of [await whoami(service, attestation), await logIn(service, attestation)]) {
    assert.equal(clientCodeOf(refused), 'CREDENTIAL_CONFLICT');
  }
  assert.equal((await whoami(service, attestation, { organizationId })).body.userId, other.userId);

  await addProvider(service, other.userId, 'carol', organizationId);
  const identity = attestedIdentity(service, key, 'carol');
  assert.equal((await whoami(service, identity)).body.userId, other.userId);
});
