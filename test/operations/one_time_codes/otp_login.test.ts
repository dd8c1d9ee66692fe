import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyOtpVerificationToken, verifySessionJwtSignature } from '@turnkey/crypto';
import { maximumUsedTokens } from '../../../src/core/auth/verifications.ts';
import { hex } from '../../../src/core/base/bytes.ts';
import { otp_login } from '../../../src/operations/one_time_codes/otp_login.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addPlainUser, changeOrganization } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { factsOf, makeUser } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  alice,
  alicePhone,
  childWithAlice,
  claimsOf,
  describedLogin,
  firstToken,
  loginSignature,
  otpLogin,
  resultOf,
  serviceKeys,
  submit,
  submitOlder,
  switchOn,
  usageSignature,
  verifiedToken,
} from './otp_requests.ts';

const { publicKey } = testKey('client');

/** Asserts that a login in a child is refused. */
async function refused(
  service: TestService,
  parameters: object,
  text: RegExp,
  organizationId: string,
  [status, code]: readonly [number, number] = [400, 3],
): Promise<void> {
  const answer = await submit(service, otpLogin, parameters, { organizationId });
  assertRefused(answer, status, code);
  assert.match(answer.body.message, text);
}

test('otp_login: exchanges a token for a session of the user with this contact', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const token = await verifiedToken(service);
  const parameters = {
    ...describedLogin(token),
    expirationSeconds: '60',
    invalidateExisting: true,
    sessionProfileId: '',
  };
  const { session } = await checkActivity(service, {
    ...otpLogin,
    parameters,
    // The login of the child is switched off.
    refusedInChild: { status: 403, code: 7 },
    optional: ['expirationSeconds', 'invalidateExisting', 'sessionProfileId'],
    malformed: [
      {
        field: 'parameters.clientSignature.scheme',
        parameters: {
          ...parameters,
          clientSignature: { ...parameters.clientSignature, scheme: 'x' },
        },
      },
      {
        field: 'parameters.clientSignature.message',
        parameters: {
          ...parameters,
          clientSignature: { ...parameters.clientSignature, message: undefined },
        },
      },
      {
        field: 'parameters.expirationSeconds',
        parameters: { ...parameters, expirationSeconds: '0' },
      },
    ],
  });
  assert.deepEqual(claimsOf(session), {
    exp: Math.floor((service.now() + 60_000) / 1000),
    public_key: publicKey,
    session_type: 'SESSION_TYPE_READ_WRITE',
    user_id: userId,
    organization_id: service.root.organizationId,
  });
  const { body } = await service.query('get_api_keys', { userId });
  const [, key] = body.apiKeys;
  assert.deepEqual(key.credential, { publicKey, type: 'CREDENTIAL_TYPE_LOGIN' });
  assert.match(key.apiKeyName, /^Login - /);
  const own = { key: testKey('client') };
  assert.equal((await service.query('whoami', {}, own)).body.userId, userId);
  service.advance(60_000);
  assertRefused(await service.query('whoami', {}, own), 401, 16);
});

test('otp_login: a code of the parent opens a session in the child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const token = await verifiedToken(service);
  const key = hex(serviceKeys.publicKey('verifier'));
  t.mock.timers.enable({ apis: ['Date'], now: service.now() });
  assert.equal((await verifyOtpVerificationToken(token, key)).contact, alice);
  t.mock.timers.reset();
  const { session } = resultOf(
    await submit(service, otpLogin, describedLogin(token), { organizationId }),
  );
  const notarizer = hex(serviceKeys.publicKey('notarizer'));
  assert.equal(await verifySessionJwtSignature(session, notarizer), true);
  const own = { organizationId, key: testKey('client') };
  assert.equal((await service.query('whoami', {}, own)).body.userId, userId);
  await refused(service, describedLogin(token), /it was used before$/, organizationId);
  // A second login with the same key renews the session.
  const second = await verifiedToken(service);
  resultOf(await submit(service, otpLogin, describedLogin(second), { organizationId }));
  const { apiKeys } = (await service.query('get_api_keys', { userId }, { organizationId })).body;
  assert.equal(apiKeys.length, 2);
  // The login verified the contact.
  const filter = { filterType: 'EMAIL', filterValue: alice };
  const { organizationIds } = (await service.query('list_verified_suborgs', filter)).body;
  assert.deepEqual(organizationIds, [organizationId]);
});

test('otp_login: the child sees only the name of the user of the parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = await childWithAlice(service);
  const { userId } = service.root;
  const contact = { userId, userEmail: 'root@example.com' };
  resultOf(await service.submit('update_user', 'ACTIVITY_TYPE_UPDATE_USER', contact));
  const token = await verifiedToken(service);
  const login = await submit(service, otpLogin, describedLogin(token), { organizationId });
  const [vote] = login.body.activity.votes;
  const { createdAt, updatedAt, ...user } = vote.user;
  assert.deepEqual(user, {
    userId,
    userName: 'Root user',
    authenticators: [],
    apiKeys: [],
    userTags: [],
    oauthProviders: [],
    mfaPolicies: [],
  });
  assert.equal(vote.publicKey, service.root.key.publicKey, 'what it signed can be verified');
});

test('otp_login: a login that names the parent acts in the child with the verified contact', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const token = () => verifiedToken(service);
  // The contact is still unverified in the child, and the parent has no such user.
  const first = await token();
  const { status } = await submit(service, otpLogin, describedLogin(first));
  assert.ok(status >= 400);
  resultOf(await submit(service, otpLogin, describedLogin(await token()), { organizationId }));
  const answer = await submit(service, otpLogin, describedLogin(await token()));
  assert.equal(claimsOf(resultOf(answer).session).user_id, userId);
  assert.equal(answer.body.activity.organizationId, organizationId);
});

test('otp_login: refuses other keys, tokens, contacts and organizations', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service);
  const { organizationId } = child;
  const token = await verifiedToken(service);
  const otherToken = await verifiedToken(service, { changes: { userIdentifier: 'other' } });
  const login = describedLogin(token);
  const other = testKey('other');
  const refuse = (parameters: object, text: RegExp, codes?: readonly [number, number]) =>
    refused(service, parameters, text, organizationId, codes);
  const signature = /^invalid client signature: /;
  for (const clientSignature of [
    loginSignature(token, publicKey, other),
    { ...loginSignature(token, publicKey, other), publicKey },
    loginSignature(token, other.publicKey),
    loginSignature(otherToken, publicKey),
    usageSignature(token, { type: 'USAGE_TYPE_SIGNUP', login: { publicKey } }),
    usageSignature(token, { type: 'USAGE_TYPE_SIGNUP', signupV2: {} }),
    { ...login.clientSignature, message: `${login.clientSignature.message} ` },
  ]) {
    await refuse({ ...login, clientSignature }, signature);
  }
  const invalid = /^invalid verification token: /;
  for (const verificationToken of ['x', 'e30.e30.e30', token.slice(0, -4), `${token}A`]) {
    await refuse({ ...login, verificationToken }, invalid);
  }
  const session = /^unable to find session profile /;
  await refuse({ ...login, sessionProfileId: unknownId }, session, [404, 5]);

  // A token of a child is valid only there.
  const ofChild = await verifiedToken(service, { as: child });
  await checkRefused(
    service,
    { ...otpLogin, parameters: describedLogin(ofChild) },
    { status: 400, code: 3, text: /it was issued for another organization$/ },
  );
  const unknown = { changes: { contact: 'nobody@example.com' } };
  const ofNobody = describedLogin(await verifiedToken(service, unknown));
  await refuse(ofNobody, /^unable to find user nobody@example\.com /, [404, 5]);
  await makeUser(service, 'Another Alice', { userEmail: 'ALICE@example.com' }, child);
  await refuse(login, /more than one user .* a contact/, [401, 16]);

  const phone = { changes: { otpType: 'OTP_TYPE_SMS', contact: alicePhone } };
  const ofPhone = describedLogin(await verifiedToken(service, phone));
  await switchOn(service, organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  await refuse(ofPhone, /^OTP by SMS is disabled/, [403, 7]);
  await switchOn(service, organizationId, ['FEATURE_NAME_SMS_AUTH']);
  resultOf(await submit(service, otpLogin, ofPhone, { organizationId }));
  service.advance(3_600_000);
  await refuse(login, /it has expired$/);
});

test('otp_login: accepts the first version, and no mix of versions', async (t) => {
  const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const older = (parameters: object) =>
    submitOlder(service, 'otp_login', 'OTP_LOGIN', parameters, { organizationId });
  const unbound = { verificationToken: await firstToken(service), publicKey };
  const signature = loginSignature(unbound.verificationToken, publicKey);
  assertRefused(await older({ ...unbound, clientSignature: signature }), 400, 3);
  const { session } = resultOf(await older(unbound));
  assert.equal(claimsOf(session).user_id, userId);
  assertRefused(await older(unbound), 400, 3);

  const token = await firstToken(service, { publicKey, changes: { userIdentifier: 'bound' } });
  assertRefused(await older({ verificationToken: token, publicKey }), 400, 3);
  const wrong = loginSignature(token, publicKey, testKey('other'));
  const parameters = { verificationToken: token, publicKey, clientSignature: wrong };
  assertRefused(await older(parameters), 400, 3);
  await refused(
    service,
    describedLogin(token),
    /a version of verify_otp that this/,
    organizationId,
  );
  resultOf(await older(describedLogin(token)));
  const newest = await verifiedToken(service, { changes: { userIdentifier: 'newest' } });
  const answer = await older(describedLogin(newest));
  assertRefused(answer, 400, 3);
  assert.match(answer.body.message, /a version of verify_otp that this/);
});

test('otp_login: a user of the parent needs a policy of the parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = await childWithAlice(service);
  const { key } = await addPlainUser(service);
  const login = async () => describedLogin(await verifiedToken(service));
  const as = { organizationId, key };
  assertRefused(await submit(service, otpLogin, await login(), as), 403, 7);
  await makePolicy(service, 'Logins', {
    condition: "activity.resource == 'AUTH' && activity.action == 'CREATE'",
    consensus: 'true',
  });
  resultOf(await submit(service, otpLogin, await login(), as));
});

test('otp_login: used tokens are bounded, and forgotten once expired', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = await childWithAlice(service);
  const expiresAtMs = service.now() + 600_000;
  await changeOrganization(
    service,
    (draft, newId) => {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      for (let i = 0; i < maximumUsedTokens; i += 1) {
        draft.put('used_token', { id: newId(), usage: 'login', expiresAtMs, ...times });
      }
      return undefined;
    },
    organizationId,
  );
  const login = describedLogin(await verifiedToken(service));
  await refused(service, login, /^organization has exceeded maximum /, organizationId, [429, 8]);
  service.advance(600_000);
  resultOf(await submit(service, otpLogin, login, { organizationId }));
  await changeOrganization(
    service,
    (draft) => {
      assert.equal(draft.rows('used_token').size, 1);
      return undefined;
    },
    organizationId,
  );
});

test('otp_login: policies see the session profile in lower case', () => {
  const parameters = { ...describedLoginWithout(), sessionProfileId: unknownId.replace('0', 'A') };
  assert.deepEqual(factsOf(otp_login, parameters), {
    params: { session_profile_id: parameters.sessionProfileId.toLowerCase() },
  });
  assert.deepEqual(factsOf(otp_login, describedLoginWithout()), {
    params: { session_profile_id: '' },
  });
});

function describedLoginWithout() {
  return { version: 'current', verificationToken: 'x', publicKey };
}
