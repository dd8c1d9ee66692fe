// A contact that a stranger typed at the onboarding proxy belongs to no account until it is verified.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { attestedStamp } from '../../pipeline/attested_requests.ts';
import { type TestService, testKey } from '../../support/harness.ts';
import { assertRefused } from '../checks.ts';
import {
  alice,
  childWithAlice,
  describedLogin,
  verifiedToken as newToken,
  otpLogin,
  resultOf,
  submit,
  usageSignature,
} from '../one_time_codes/otp_requests.ts';
import { changeOrganization } from '../other_callers.ts';
import { describedKey, makeUser } from '../users/user_requests.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';
import { accepted, callProxy, nobody, startProxyService } from './proxy_requests.ts';

const bobPhone = '+4930654321';

/** Mallory signs up with a key, and claims contacts of other people. */
async function startWithMallory() {
  const service = await startProxyService();
  const { organizationId, userId } = await accepted(
    callProxy(service, 'signup_v2', {
      ...nobody,
      apiKeys: [describedKey('mallory')],
      userEmail: alice,
      userPhoneNumber: bobPhone,
    }),
  );
  const as = { organizationId: String(organizationId), key: testKey('mallory') };
  return { service, as, userId: String(userId) };
}

/** Returns a token for a contact, after the limit on codes has expired. */
function verifiedToken(service: TestService, contact: string = alice): Promise<string> {
  service.advance(4 * 60_000);
  const otpType = contact === alice ? 'OTP_TYPE_EMAIL' : 'OTP_TYPE_SMS';
  return newToken(service, { changes: { otpType, contact } });
}

const logIn = (service: TestService, token: string, more: object = {}) =>
  callProxy(service, 'otp_login_v2', { ...describedLogin(token), ...more });

const updateUser = { operation: 'update_user', type: 'ACTIVITY_TYPE_UPDATE_USER' };
const updateEmail = { operation: 'update_user_email', type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL' };

test('claimed: the holder of the contact cannot log in by code, by token or by stamp', async (t) => {
  const { service, as } = await startWithMallory();
  t.after(() => service.close());
  const { organizationId } = as;
  const token = await verifiedToken(service);
  assertRefused(await logIn(service, token, { organizationId }), 404, 5);
  const direct = await submit(service, otpLogin, describedLogin(token), { organizationId });
  assertRefused(direct, 404, 5);
  const phone = await verifiedToken(service, bobPhone);
  assertRefused(await logIn(service, phone, { organizationId }), 404, 5);
  const body = utf8(JSON.stringify({ organizationId }));
  const scheme = 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN';
  const stamp = attestedStamp(body, testKey('client'), { token, scheme });
  const whoami = await service.send('query', 'whoami', body, [stamp]);
  assert.equal(whoami.status, 401, JSON.stringify(whoami.body));
});

test('claimed: the contact gets no mail, and a code for it logs no user in', async (t) => {
  const { service, as } = await startWithMallory();
  t.after(() => service.close());
  await changeOrganization(
    service,
    (draft) => {
      const features = ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_EMAIL_RECOVERY'] as const;
      draft.setHead({ features: [...draft.head.features, ...features.map((name) => ({ name }))] });
      return undefined;
    },
    as.organizationId,
  );
  const { organizationId } = as;
  const mail = {
    email: alice,
    targetPublicKey,
    emailCustomization: { appName: 'Example' },
  };
  const before = service.outside.messages.length;
  for (const [operation, type] of [
    ['email_auth', 'ACTIVITY_TYPE_EMAIL_AUTH_V3'],
    ['init_user_email_recovery', 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2'],
  ] as const) {
    assertRefused(await service.submit(operation, type, mail, { organizationId }), 404, 5);
  }
  const started = await service.submit(
    'init_otp_auth',
    'ACTIVITY_TYPE_INIT_OTP_AUTH_V3',
    { otpType: 'OTP_TYPE_EMAIL', contact: alice, appName: 'Example' },
    { organizationId },
  );
  resultOf(started);
  assert.equal(service.outside.messages.length, before);
});

test('claimed: the contact neither shadows nor blocks its holder in the same organization', async (t) => {
  const { service, as } = await startWithMallory();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: alice }, as);
  const token = await verifiedToken(service);
  const { organizationId } = as;
  await accepted(logIn(service, token, { organizationId }));
  const { users } = await accepted(service.query('list_users', {}, as));
  const session = users.find((user: { userId: string }) => user.userId === userId);
  assert.equal(session.apiKeys.length, 2);
  const named = await service.submit(
    'create_read_write_session',
    'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION',
    { targetPublicKey, email: alice },
    as,
  );
  assert.equal(resultOf(named).userId, userId);
});

test('claimed: a stamped user of the parent finds the contact, marked as unverified', async (t) => {
  const { service, as, userId } = await startWithMallory();
  t.after(() => service.close());
  const { organizationId } = as;
  const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
  const { session } = resultOf(await service.submit('create_read_only_session', type, {}));
  for (const [filterType, filterValue] of [
    ['EMAIL', alice],
    ['PHONE_NUMBER', bobPhone],
  ] as const) {
    const filter = { filterType, filterValue };
    assert.deepEqual(await accepted(service.query('list_suborgs', filter)), {
      organizationIds: [organizationId],
      unverifiedOrganizationIds: [organizationId],
    });
    const verified = await accepted(service.query('list_verified_suborgs', filter));
    assert.deepEqual(verified, { organizationIds: [] });
    const asked = { organizationId: service.root.organizationId, ...filter };
    const headers = [{ name: 'x-session', value: session }];
    const read = service.send('query', 'list_suborgs', utf8(JSON.stringify(asked)), headers);
    assert.deepEqual(await accepted(read), { organizationIds: [] }, filterType);
  }
  // The user still shows the contact as it was typed.
  const { user } = await accepted(service.query('get_user', { userId }, as));
  assert.equal(user.userEmail, alice);
});

test('claimed: a token or a stamped user of the organization verifies the contact', async (t) => {
  const { service, as, userId } = await startWithMallory();
  t.after(() => service.close());
  const { organizationId } = as;
  resultOf(await submit(service, updateUser, { userId, userName: 'M' }, as));
  assertRefused(await logIn(service, await verifiedToken(service), { organizationId }), 404, 5);
  resultOf(await submit(service, updateUser, { userId, userEmail: alice }, as));
  await accepted(logIn(service, await verifiedToken(service), { organizationId }));

  const other = await startWithMallory();
  t.after(() => other.service.close());
  const verificationToken = await newToken(other.service, { key: other.as.key });
  const change = { userId: other.userId, userEmail: alice, verificationToken };
  resultOf(await submit(other.service, updateEmail, change, other.as));
  const found = other.service.query('list_verified_suborgs', {
    filterType: 'EMAIL',
    filterValue: alice,
  });
  assert.deepEqual(await accepted(found), { organizationIds: [other.as.organizationId] });
});

test('claimed: the second contact of a verified sign-up stays claimed', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const verificationToken = await verifiedToken(service);
  const contents = { apiKeys: [], authenticators: [], oauthProviders: [] };
  const clientSignature = usageSignature(verificationToken, {
    type: 'USAGE_TYPE_SIGNUP',
    signupV2: { email: alice, phoneNumber: bobPhone, ...contents },
  });
  const { organizationId } = await accepted(
    callProxy(service, 'signup_v2', {
      ...nobody,
      userEmail: alice,
      userPhoneNumber: bobPhone,
      verificationToken,
      clientSignature,
    }),
  );
  await accepted(logIn(service, await verifiedToken(service)));
  const phone = await verifiedToken(service, bobPhone);
  assertRefused(await logIn(service, phone, { organizationId }), 404, 5);
});

test('asserted by a stranger in an own organization: the contact leads no user there', async (t) => {
  const { service, as, userId } = await startWithMallory();
  t.after(() => service.close());
  resultOf(await submit(service, updateUser, { userId, userEmail: alice }, as));
  // The contact is unverified: lookups in the parent find no account.
  assertRefused(await logIn(service, await verifiedToken(service)), 401, 16);
  const token = await verifiedToken(service);
  const account = (verificationToken: string) =>
    callProxy(service, 'account', {
      filterType: 'EMAIL',
      filterValue: alice,
      verificationToken,
    });
  assert.deepEqual(await accepted(account(token)), {});

  const home = await childWithAlice(service);
  const first = await verifiedToken(service);
  await accepted(logIn(service, first, { organizationId: home.organizationId }));
  // After its holder verified it at home, the contact leads home, despite other assertions.
  const { session } = await accepted(logIn(service, await verifiedToken(service)));
  assert.equal(claimsIn(session).organization_id, home.organizationId);
  assert.deepEqual(await accepted(account(await verifiedToken(service))), {
    organizationId: home.organizationId,
  });
});

function claimsIn(session: string) {
  return JSON.parse(Buffer.from(session.split('.')[1] ?? '', 'base64url').toString());
}
