// A user with the right to create or change users can set the contact of another user. This must not lock
// out the user who verified the contact.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { attestedContact, attestedStamp } from '../../pipeline/attested_requests.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused } from '../checks.ts';
import { changeOrganization } from '../other_callers.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';
import {
  alice,
  childWithAlice,
  claimsOf,
  describedLogin,
  makeUserWith,
  otpLogin,
  resultOf,
  startedOtpAuth,
  submit,
  verifiedToken,
} from './otp_requests.ts';

test('a user who only set the verified contact of another locks no user out', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId, ...child } = await childWithAlice(service);
  const logIn = async () =>
    submit(service, otpLogin, describedLogin(await verifiedToken(service)), child);
  resultOf(await logIn());
  const { organizationId } = child;
  const second = await makeUserWith(service, alice, child);
  const { session } = resultOf(await logIn());
  assert.equal(claimsOf(session).user_id, userId);
  const { otpId, code: otpCode } = await startedOtpAuth(service, {}, child);
  const otpAuth = { operation: 'otp_auth', type: 'ACTIVITY_TYPE_OTP_AUTH' };
  const answer = await submit(service, otpAuth, { otpId, otpCode, targetPublicKey }, child);
  assert.equal(resultOf(answer).userId, userId);
  const attestation = attestedContact(service, testKey('fresh'), alice, { organizationId });
  const body = utf8(JSON.stringify({ organizationId }));
  const stamp = attestedStamp(body, testKey('fresh'), attestation);
  assert.equal((await service.send('query', 'whoami', body, [stamp])).body.userId, userId);
  // If both users have verified the contact, the login is ambiguous.
  await changeOrganization(
    service,
    (draft) => {
      const user = draft.get('user', second);
      if (user !== undefined) draft.put('user', { ...user, emailVerified: true });
      return undefined;
    },
    organizationId,
  );
  assertRefused(await logIn(), 401, 16);
});
