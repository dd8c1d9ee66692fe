import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, getPublicKey } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { stampOf, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { activityBody, assertCompleted, assertRefused, assertViolation } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { clientKey, targetPublicKey } from '../wallets/transfer_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  childWithAlice,
  initOtpAuth,
  resultOf,
  startedOtp,
  startedOtpAuth,
  submit,
  switchOn,
} from './otp_requests.ts';

const otpAuth = {
  operation: 'otp_auth',
  type: 'ACTIVITY_TYPE_OTP_AUTH',
  intent: 'otpAuthIntent',
  result: 'otpAuthResult',
};

/** Opens the key in a bundle. */
function keyIn(bundle: string) {
  const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
  return { privateKey, publicKey: hex(getPublicKey(privateKey)) };
}

/** Starts a child with a code, and returns the sender of its parent. */
async function started(service: TestService) {
  const { organizationId, userId, key } = await childWithAlice(service);
  const as = { organizationId };
  const { otpId, code } = await startedOtpAuth(service, {}, as);
  return { as, own: { organizationId, key }, organizationId, userId, otpId, code };
}

// AUTH-14
test('otp_auth: exchanges a code for a key that is sealed to the key of the request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { as, organizationId, userId, otpId, code } = await started(service);
  const parameters = {
    otpId: otpId.toUpperCase(),
    otpCode: code.toLowerCase(),
    targetPublicKey,
    apiKeyName: 'Browser',
    expirationSeconds: '60',
    invalidateExisting: true,
  };
  const body = activityBody(service, otpAuth.type, parameters, organizationId);
  const send = (key = service.root.key) =>
    service.send('submit', otpAuth.operation, body, [stampOf(body, key)]);
  const { key: plain } = await addPlainUser(service);
  assertRefused(await service.send('submit', otpAuth.operation, body, []), 401, 16);
  assertRefused(await send(testKey('stranger')), 401, 16);
  assertRefused(await send(plain), 403, 7);
  const answer = await send();
  assertCompleted(answer, { ...otpAuth, parameters }, body, organizationId);
  assert.deepEqual(await send(), answer, 'a repetition gets the same');
  const { credentialBundle, apiKeyId, ...rest } = resultOf(answer);
  assert.deepEqual(rest, { userId });
  const own = { organizationId, key: keyIn(credentialBundle) };
  assert.equal((await service.query('whoami', {}, own)).body.userId, userId);
  const { body: shown } = await service.query('get_api_key', { apiKeyId }, as);
  assert.equal(shown.apiKey.apiKeyName, 'Browser');
  assert.equal(shown.apiKey.credential.type, 'CREDENTIAL_TYPE_OTP_AUTH_KEY_P256');
  assert.equal(shown.apiKey.expirationSeconds, '60');
  service.advance(60_000);
  assertRefused(await service.query('whoami', {}, own), 401, 16);
});

test('otp_auth: a key has a name and a lifetime, and can end earlier keys', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { as, organizationId, otpId, code } = await started(service);
  const first = { otpId, otpCode: code, targetPublicKey };
  const { credentialBundle, apiKeyId } = resultOf(await submit(service, otpAuth, first, as));
  const { body } = await service.query('get_api_key', { apiKeyId }, as);
  assert.match(body.apiKey.apiKeyName, /^OTP Auth - \d{4}-/);
  assert.equal(body.apiKey.expirationSeconds, '900');
  const next = await startedOtpAuth(service, {}, as);
  const second = { otpId: next.otpId, otpCode: next.code, targetPublicKey };
  resultOf(await submit(service, otpAuth, { ...second, invalidateExisting: true }, as));
  const own = { organizationId, key: keyIn(credentialBundle) };
  assertRefused(await service.query('whoami', {}, own), 401, 16);
});

test('otp_auth: counts wrong codes, and refuses codes for other uses', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { as, own, organizationId, otpId, code } = await started(service);
  const parameters = { otpId, otpCode: code, targetPublicKey };
  const refused = async (changes: object, where: object = as) => {
    const answer = await submit(service, otpAuth, { ...parameters, ...changes }, where);
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /^Invalid OTP code/);
  };
  const wrongTarget = { ...parameters, targetPublicKey: '04' };
  assertViolation(await submit(service, otpAuth, wrongTarget, as), 'parameters.targetPublicKey');
  await refused({ otpId: unknownId });
  const other = await startedOtp(service, { userIdentifier: 'other' }, own);
  await refused({ otpId: other.otpId, otpCode: other.code });
  // The code belongs to the child, so the parent refuses it.
  await refused({}, {});
  for (const otpCode of ['', 'WRONG']) await refused({ otpCode });
  await switchOn(service, organizationId, []);
  assertRefused(await submit(service, otpAuth, parameters, as), 403, 7);
  await switchOn(service, organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  await refused({ otpCode: 'WRONG' });
  await refused({});
});

test('otp_auth: the code for a contact without a user opens nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = await childWithAlice(service);
  const as = { organizationId };
  const form = { otpLength: 6, alphanumeric: false, contact: 'user@example.com' };
  const init = { otpType: 'OTP_TYPE_EMAIL', appName: 'Example', ...form };
  // Not even with the fixed code of a test contact.
  const { otpId } = resultOf(await submit(service, initOtpAuth, init, as));
  const parameters = { otpId, otpCode: '000000', targetPublicKey };
  assertRefused(await submit(service, otpAuth, parameters, as), 400, 3);
});

test('otp_auth: a user of the parent needs a policy of the parent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, otpId, code } = await started(service);
  const { key } = await addPlainUser(service);
  const as = { organizationId, key };
  const parameters = { otpId, otpCode: code, targetPublicKey };
  assertRefused(await submit(service, otpAuth, parameters, as), 403, 7);
  await makePolicy(service, 'Codes', {
    condition: "activity.kind == 'OTP_AUTH'",
    consensus: 'true',
  });
  resultOf(await submit(service, otpAuth, parameters, as));
});
