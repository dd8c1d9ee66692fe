// A verification token serves only the holder of the key that it names, not its readers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import {
  alice,
  alicePhone,
  childWithAlice,
  firstToken,
  type loginSignature,
  otpLogin,
  resultOf,
  startedOtp,
  submitOlder,
  usageSignature,
  verifiedToken,
} from './otp_requests.ts';

const contacts = [
  {
    operation: 'update_user_email',
    type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    filterType: 'EMAIL',
    contact: alice,
    member: 'userEmail',
    changes: {},
  },
  {
    operation: 'update_user_phone_number',
    type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    filterType: 'PHONE_NUMBER',
    contact: alicePhone,
    member: 'userPhoneNumber',
    changes: { otpType: 'OTP_TYPE_SMS', contact: alicePhone },
  },
];

for (const { operation, type, filterType, contact, member, changes } of contacts) {
  test(`${operation}: only a stamp of the token’s key verifies the contact`, async (t) => {
    const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
    t.after(() => service.close());
    const thief = await addChild(service);
    const userId = await makeUser(service, 'Thief', {}, thief);
    const set = (verificationToken: string, key = thief.key) => {
      const parameters = { userId, [member]: contact, verificationToken };
      return service.submit(operation, type, parameters, { ...thief, key });
    };
    const verified = async () => {
      const filter = { filterType, filterValue: contact };
      const { organizationIds } = (await service.query('list_verified_suborgs', filter)).body;
      return organizationIds.length;
    };
    const ofVictim = await verifiedToken(service, { changes });
    const { publicKey } = testKey('client');
    const olderOfVictim = await firstToken(service, { changes, publicKey });
    for (const token of [ofVictim, olderOfVictim]) {
      const answer = await set(token);
      assertRefused(answer, 400, 3);
      assert.match(answer.body.message, /stamped with the key of the verification token/);
    }
    assert.equal(await verified(), 0);
    // A token for the own key, named in upper case.
    service.advance(200_000);
    const own = { ...thief.key, publicKey: thief.key.publicKey.toUpperCase() };
    resultOf(await set(await verifiedToken(service, { changes, key: own })));
    assert.equal(await verified(), 1);
  });
}

test('an unbound token is neither issued nor accepted unless the deployment allows it', async (t) => {
  const lenient = await startTestService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => lenient.close());
  // The same root key and random bytes, so the organization has the same id.
  const strict = await startTestService();
  t.after(() => strict.close());
  assert.equal(strict.root.organizationId, lenient.root.organizationId);
  const token = await firstToken(lenient);

  const { otpId, code } = await startedOtp(strict, { userIdentifier: 'x' });
  for (const more of [{}, { publicKey: '' }]) {
    const parameters = { otpId, otpCode: code, ...more };
    const answer = await submitOlder(strict, 'verify_otp', 'VERIFY_OTP', parameters);
    assertRefused(answer, 400, 3);
    assert.equal(answer.body.details[0].fieldViolations[0].field, 'parameters.publicKey');
  }

  const { organizationId, userId } = await childWithAlice(strict);
  const { publicKey } = testKey('reader');
  const child = { organizationId };
  const login = { verificationToken: token, publicKey };
  const rootUser = { userName: 'x', userEmail: alice };
  const noCredentials = { apiKeys: [], authenticators: [], oauthProviders: [] };
  const refused = [
    await submitOlder(strict, 'otp_login', 'OTP_LOGIN', login, child),
    await submitOlder(strict, 'create_sub_organization', 'CREATE_SUB_ORGANIZATION_V7', {
      subOrganizationName: 'x',
      rootUsers: [{ ...rootUser, ...noCredentials }],
      rootQuorumThreshold: 1,
      verificationToken: token,
    }),
    await submitOlder(strict, 'update_user_email', 'UPDATE_USER_EMAIL', {
      userId: strict.root.userId,
      userEmail: alice,
      verificationToken: token,
    }),
  ];
  assert.ok(userId);
  for (const answer of refused) {
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /it is not bound to a key, and this service rejects such/);
  }
});

test('a signature that names its organization is invalid for others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service);
  const other = await childWithAlice(service);
  const token = await verifiedToken(service);
  const { publicKey } = testKey('client');
  const named = (organizationId: string) =>
    usageSignature(token, { type: 'USAGE_TYPE_LOGIN', login: { publicKey, organizationId } });
  const logIn = (clientSignature: ReturnType<typeof loginSignature>, organizationId: string) => {
    const parameters = { verificationToken: token, publicKey, clientSignature };
    return service.submit(otpLogin.operation, otpLogin.type, parameters, { organizationId });
  };
  const elsewhere = await logIn(named(child.organizationId), other.organizationId);
  assertRefused(elsewhere, 400, 3);
  assert.match(elsewhere.body.message, /about another `login.organizationId`/);
  resultOf(await logIn(named(child.organizationId.toUpperCase()), child.organizationId));
});
