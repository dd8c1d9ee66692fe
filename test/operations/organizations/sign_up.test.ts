// Sign-ups with a token prove a contact, and that the holder requested exactly these credentials.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused } from '../checks.ts';
import {
  alice,
  alicePhone,
  describedLogin,
  firstToken,
  otpLogin,
  resultOf,
  submit,
  usageSignature,
  verifiedToken,
} from '../one_time_codes/otp_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { minimal, operation, rootUser, type, typeOf } from './sub_organization_requests.ts';

const { publicKey } = testKey('client');

type Described = ReturnType<typeof rootUser> & { userEmail?: string; userPhoneNumber?: string };

/** Signs the members of a user like a client. */
function signUpSignature(token: string, user: Described, name = 'signupV2', key?: string) {
  const { apiKeys, authenticators, oauthProviders, userEmail, userPhoneNumber } = user;
  const contents = {
    apiKeys,
    authenticators,
    oauthProviders,
    ...(userEmail === undefined ? {} : { email: userEmail }),
    ...(userPhoneNumber === undefined ? {} : { phoneNumber: userPhoneNumber }),
  };
  const usage = { type: 'USAGE_TYPE_SIGNUP', [name]: contents };
  return usageSignature(token, usage, key === undefined ? undefined : testKey(key));
}

const describedSignUp = (token: string, user: Described, changes: object = {}) => ({
  ...minimal('Signed up'),
  rootUsers: [user],
  verificationToken: token,
  clientSignature: signUpSignature(token, user),
  ...changes,
});

const aliceUser = (changes: object = {}): Described =>
  rootUser('Alice', { userEmail: alice, ...changes });

async function verifiedIds(service: TestService, filterType: string, filterValue: string) {
  const { status, body } = await service.query('list_verified_suborgs', {
    filterType,
    filterValue,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.organizationIds;
}

test('a child created with a token is found by the verified contact', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const token = await verifiedToken(service);
  const user = aliceUser({ userEmail: 'Alice@Example.com', userPhoneNumber: alicePhone });
  const signUp = describedSignUp(token, user);
  const { subOrganizationId } = resultOf(await service.submit(operation, type, signUp));
  assert.deepEqual(await verifiedIds(service, 'EMAIL', 'ALICE@example.com'), [subOrganizationId]);
  // Only the contact of the token is verified.
  assert.deepEqual(await verifiedIds(service, 'PHONE_NUMBER', alicePhone), []);
  const unverified = resultOf(
    await service.submit(operation, type, { ...minimal('Other'), rootUsers: [user] }),
  );
  assert.ok(unverified.subOrganizationId);
  assert.deepEqual(await verifiedIds(service, 'EMAIL', alice), [subOrganizationId]);

  const again = await service.submit(operation, type, signUp);
  assertRefused(again, 400, 3);
  assert.match(again.body.message, /it was used before$/);
  // The token is used up in the parent but not in the new organization, where clients log in with it at
  // once.
  const login = describedLogin(token);
  resultOf(await submit(service, otpLogin, login, { organizationId: subOrganizationId }));

  const phone = { changes: { otpType: 'OTP_TYPE_SMS', contact: alicePhone } };
  const byPhone = describedSignUp(await verifiedToken(service, phone), user);
  const second = resultOf(await service.submit(operation, type, byPhone));
  const found = await verifiedIds(service, 'PHONE_NUMBER', alicePhone);
  assert.deepEqual(found, [second.subOrganizationId]);
});

test('a sign-up that differs from the signed request is refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const token = await verifiedToken(service);
  const other = await verifiedToken(service, { changes: { userIdentifier: 'other' } });
  const user = aliceUser();
  const refused = async (changes: object, text: RegExp) => {
    const answer = await service.submit(operation, type, describedSignUp(token, user, changes));
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, text);
  };
  const signature = /^invalid client signature: /;
  await refused({ clientSignature: undefined }, signature);
  await refused({ verificationToken: undefined }, signature);
  await refused({ clientSignature: signUpSignature(other, user) }, signature);
  await refused(
    { clientSignature: signUpSignature(token, user, 'signupV2', 'another') },
    signature,
  );
  await refused({ clientSignature: signUpSignature(token, user, 'login') }, signature);
  const more = aliceUser({ apiKeys: [] });
  await refused({ clientSignature: signUpSignature(token, more) }, signature);
  const stolen = aliceUser({ apiKeys: [{ ...user.apiKeys[0], publicKey }] });
  await refused({ rootUsers: [stolen] }, signature);

  const invalid = /^invalid verification token: /;
  const nobody = rootUser('Nobody', { userEmail: 'nobody@example.com' });
  await refused({ rootUsers: [nobody] }, invalid);
  await refused({ rootUsers: [user, rootUser('Twin', { userEmail: alice })] }, invalid);
  await refused({ verificationToken: 'x' }, invalid);
  resultOf(await service.submit(operation, type, describedSignUp(token, user)));
});

test('only the seventh version also takes tokens of the first version', async (t) => {
  const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => service.close());
  const user = aliceUser();
  const first = await firstToken(service);
  const unsigned = { ...describedSignUp(first, user), clientSignature: undefined };
  const refused = await service.submit(operation, type, unsigned);
  assertRefused(refused, 400, 3);
  assert.match(refused.body.message, /a version of verify_otp that this/);
  const { status, body } = await service.submit(operation, typeOf('V7'), unsigned);
  assert.equal(status, 200, JSON.stringify(body));
  const { subOrganizationId } = body.activity.result.createSubOrganizationResultV7;
  assert.deepEqual(await verifiedIds(service, 'EMAIL', alice), [subOrganizationId]);
  // A token with a key needs a signature in this version, too.
  const changes = { userIdentifier: 'bound' };
  const bound = await firstToken(service, { publicKey, changes });
  const without = { ...describedSignUp(bound, user), clientSignature: undefined };
  assertRefused(await service.submit(operation, typeOf('V7'), without), 400, 3);
  resultOf(await service.submit(operation, typeOf('V7'), describedSignUp(bound, user)));
  const current = await verifiedToken(service, { changes: { userIdentifier: 'current' } });
  resultOf(await service.submit(operation, typeOf('V7'), describedSignUp(current, user)));
});

test('a token verifies a contact, and a changed contact is unverified again', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { subOrganizationId: organizationId } = resultOf(
    await service.submit(operation, type, minimal('Child')),
  );
  const as = { organizationId, key: testKey('Child root') };
  const userId = await makeUser(service, 'Bob', {}, as);
  const update = (parameters: object) =>
    service.submit(
      'update_user_email',
      'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
      { userId, ...parameters },
      as,
    );
  const token = (changes: object = {}) => verifiedToken(service, { changes, key: as.key });
  const good = await token();
  const elsewhere = update({ userEmail: 'bob@example.com', verificationToken: good });
  assertRefused(await elsewhere, 400, 3);
  resultOf(await update({ userEmail: 'Alice@example.com', verificationToken: good }));
  assert.deepEqual(await verifiedIds(service, 'EMAIL', alice), [organizationId]);
  assertRefused(await update({ userEmail: alice, verificationToken: good }), 400, 3);
  // Changes that keep the address keep it verified.
  const rename = { userId, userName: 'Robert' };
  resultOf(await service.submit('update_user_name', 'ACTIVITY_TYPE_UPDATE_USER_NAME', rename, as));
  resultOf(await update({ userEmail: 'ALICE@example.com' }));
  assert.deepEqual(await verifiedIds(service, 'EMAIL', alice), [organizationId]);
  for (const userEmail of ['bob@example.com', alice]) {
    resultOf(await update({ userEmail }));
    assert.deepEqual(await verifiedIds(service, 'EMAIL', userEmail), []);
  }
  const first = await firstToken(service, {
    publicKey: as.key.publicKey,
    changes: { userIdentifier: 'first' },
  });
  resultOf(await update({ userEmail: alice, verificationToken: first }));
  assert.deepEqual(await verifiedIds(service, 'EMAIL', alice), [organizationId]);

  const phone = { otpType: 'OTP_TYPE_SMS', contact: alicePhone };
  const updatePhone = (parameters: object) =>
    service.submit(
      'update_user_phone_number',
      'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
      { userId, ...parameters },
      as,
    );
  const verificationToken = await token(phone);
  assertRefused(await update({ userEmail: alice, verificationToken }), 400, 3);
  resultOf(await updatePhone({ userPhoneNumber: alicePhone, verificationToken }));
  assert.deepEqual(await verifiedIds(service, 'PHONE_NUMBER', alicePhone), [organizationId]);
  resultOf(await updatePhone({ userPhoneNumber: '' }));
  assert.deepEqual(await verifiedIds(service, 'PHONE_NUMBER', alicePhone), []);
});
