import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyOtpVerificationToken, verifySessionJwtSignature } from '@turnkey/crypto';
import { hex } from '../../../src/core/bytes.ts';
import { startTestService, testKey } from '../../harness.ts';
import {
  childWithAlice,
  claimsOf,
  describedLogin,
  otpLogin,
  resultOf,
  serviceKeys,
  submit,
  verifiedToken,
} from './otp_requests.ts';

test('otp_login: a code of the parent opens a session in the child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service);
  const token = await verifiedToken(service);
  const key = hex(serviceKeys.publicKey('verifier'));
  t.mock.timers.enable({ apis: ['Date'], now: service.now() });
  assert.equal((await verifyOtpVerificationToken(token, key)).contact, 'alice@example.com');
  t.mock.timers.reset();
  const as = { organizationId: child.organizationId };
  const { session } = resultOf(await submit(service, otpLogin, describedLogin(token), as));
  const notarizer = hex(serviceKeys.publicKey('notarizer'));
  assert.equal(await verifySessionJwtSignature(session, notarizer), true);
  assert.equal(claimsOf(session).user_id, child.userId);
  const own = { organizationId: child.organizationId, key: testKey('client') };
  const whoami = await service.query('whoami', {}, own);
  assert.equal(whoami.body.userId, child.userId);
});
