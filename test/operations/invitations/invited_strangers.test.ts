// An invitation grants nothing: neither its id nor the address that it names, with or without proof of that
// address, gives access.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { attestedContact, attestedStamp } from '../../pipeline/attested_requests.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { callProxy, startProxyService } from '../auth_proxy/proxy_requests.ts';
import { describedPasskey } from '../authenticators/authenticator_requests.ts';
import { assertRefused } from '../checks.ts';
import {
  describedLogin,
  otpLogin,
  resultOf,
  submit,
  switchOn,
  verifiedToken,
} from '../one_time_codes/otp_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';
import {
  describedInvitation,
  guest,
  makeInvitation,
  shownInvitations,
} from './invitation_requests.ts';

const logins = [
  'FEATURE_NAME_EMAIL_AUTH',
  'FEATURE_NAME_OTP_EMAIL_AUTH',
  'FEATURE_NAME_EMAIL_RECOVERY',
] as const;

/** Returns a verification token of a stranger who reads the mailbox of the guest. */
const provenGuest = (service: TestService) =>
  verifiedToken(service, { changes: { contact: guest } });

test('a stranger who proved the invited address still has no way in', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const invitationId = await makeInvitation(service);
  await switchOn(service, organizationId, [...logins, 'FEATURE_NAME_AUTH_PROXY']);
  const verificationToken = await provenGuest(service);
  const before = (await service.query('list_users')).body;

  // A session for the holder of the address.
  assertRefused(await submit(service, otpLogin, describedLogin(verificationToken)), 404, 5);
  // A mailed key, to log in or to recover.
  const mailed = { email: guest, targetPublicKey, emailCustomization: { appName: 'Example' } };
  for (const [operation, type] of [
    ['email_auth', 'ACTIVITY_TYPE_EMAIL_AUTH_V3'],
    ['init_user_email_recovery', 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2'],
  ] as const) {
    assertRefused(await service.submit(operation, type, mailed), 404, 5);
  }
  // The address itself as a credential.
  const key = testKey('guest');
  const attestation = attestedContact(service, key, guest);
  const read = utf8(JSON.stringify({ organizationId }));
  assertRefused(
    await service.send('query', 'whoami', read, [attestedStamp(read, key, attestation)]),
    401,
    16,
  );
  // Look-ups through the proxy, with a proof, and among the children.
  const account = await callProxy(service, 'account', {
    filterType: 'EMAIL',
    filterValue: guest,
    verificationToken: await provenGuest(service),
  });
  assert.deepEqual([account.status, account.body], [200, {}]);
  const listed = await service.query('list_verified_suborgs', {
    filterType: 'EMAIL',
    filterValue: guest,
  });
  assert.deepEqual(listed.body, { organizationIds: [] });
  // The types that clients once accepted invitations with: an id and a passkey, and no proof of the
  // address.
  for (const type of ['ACTIVITY_TYPE_ACCEPT_INVITATION', 'ACTIVITY_TYPE_ACCEPT_INVITATION_V2']) {
    const parameters = {
      invitationId,
      userId: service.root.userId,
      authenticator: describedPasskey('guest'),
    };
    const answer = await service.submit('accept_invitation', type, parameters);
    assertRefused(answer, 404, 5);
    assert.match(answer.body.message, /unknown operation/);
    // No other path takes this type either.
    assertRefused(await service.submit('create_invitations', type, parameters), 400, 3);
  }
  assert.deepEqual((await service.query('list_users')).body, before);
  const [{ status }] = await shownInvitations(service);
  assert.equal(status, 'INVITATION_STATUS_CREATED');
});

test('a stranger with the id of an invitation gets no access', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const invitationId = await makeInvitation(service);
  const key = testKey('guest');
  for (const [operation, parameters] of [
    ['delete_invitation', { invitationId }],
    ['create_invitations', { invitations: [describedInvitation(service)] }],
  ] as const) {
    const type = `ACTIVITY_TYPE_${operation.toUpperCase()}`;
    assertRefused(
      await service.submit(operation, type, parameters, { key, organizationId }),
      401,
      16,
    );
  }
  assertRefused(await service.query('get_organization', {}, { key }), 401, 16);
});

test('an invitation is accepted once the new user proves to hold the address', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await switchOn(service, service.root.organizationId, logins);
  await makeInvitation(service);
  const statusNow = async () => (await shownInvitations(service))[0].status;
  // An unverified address accepts no invitation.
  const userId = await makeUser(service, 'Guest', { userEmail: guest.toUpperCase(), apiKeys: [] });
  assert.equal(await statusNow(), 'INVITATION_STATUS_CREATED');
  const token = await provenGuest(service);
  assert.equal(await statusNow(), 'INVITATION_STATUS_CREATED');
  const { session } = resultOf(await submit(service, otpLogin, describedLogin(token)));
  assert.equal(JSON.parse(atob(session.split('.')[1])).user_id, userId);
  assert.equal(await statusNow(), 'INVITATION_STATUS_ACCEPTED');
});
