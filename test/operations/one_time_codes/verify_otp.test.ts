import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stampOf, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { activityBody, assertRefused, checkActivity, storedCount } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  alice,
  childWithAlice,
  claimsOf,
  describedOtp,
  initOtp,
  lastCode,
  resultOf,
  sealedCode,
  startedOtp,
  submit,
  switchOn,
  verifyOtp,
} from './otp_requests.ts';

const { publicKey } = testKey('client');
const olderInit = { ...initOtp, type: 'ACTIVITY_TYPE_INIT_OTP_V2' };
const olderVerify = { ...verifyOtp, type: 'ACTIVITY_TYPE_VERIFY_OTP' };

/** Returns a wrong code. */
const wrongFor = (code: string): string => (code[0] === '2' ? '3' : '2') + code.slice(1);

/** Sends a code of the older versions. */
async function olderOtp(service: TestService) {
  const { otpId } = resultOf(await submit(service, olderInit, describedOtp()));
  return { otpId, otpCode: lastCode(service) };
}

test('verify_otp: exchanges a right code for a token', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otpId, bundle, code } = await startedOtp(service);
  const parameters = {
    otpId: otpId.toUpperCase(),
    encryptedOtpBundle: await sealedCode(code, bundle),
    expirationSeconds: '86400',
  };
  const { verificationToken } = await checkActivity(service, {
    ...verifyOtp,
    parameters,
    optional: ['expirationSeconds'],
    malformed: [
      { field: 'parameters.otpId', parameters: { ...parameters, otpId: 'x' } },
      ...['0', '86401'].map((expirationSeconds) => ({
        field: 'parameters.expirationSeconds',
        parameters: { ...parameters, expirationSeconds },
      })),
      {
        field: 'parameters.encryptedOtpBundle',
        parameters: { ...parameters, encryptedOtpBundle: '' },
      },
    ],
  });
  const { id, ...claims } = claimsOf(verificationToken);
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(claims, {
    exp: String(service.now() + 86_400_000),
    organization_id: service.root.organizationId,
    verification_type: 'OTP_TYPE_EMAIL',
    contact: alice,
    public_key: publicKey,
  });
});

test('verify_otp: accepts a code as people type it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otpId, bundle, code } = await startedOtp(service);
  const typed = ` ${code.slice(0, 3).toLowerCase()}-${code.slice(3)} `;
  const encryptedOtpBundle = await sealedCode(typed, bundle);
  resultOf(await submit(service, verifyOtp, { otpId, encryptedOtpBundle }));
});

test('verify_otp: wrong, expired, used, locked and unknown codes get the same refusal', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answers: unknown[] = [];
  const refused = async (otpId: string, encryptedOtpBundle: string) => {
    const answer = await submit(service, verifyOtp, { otpId, encryptedOtpBundle });
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, /^Invalid OTP code/);
    answers.push(answer.body);
  };
  const wrong = await startedOtp(service, { userIdentifier: 'wrong' });
  const good = await sealedCode(wrong.code, wrong.bundle);
  for (let tries = 0; tries < 3; tries += 1) {
    await refused(wrong.otpId, await sealedCode(wrongFor(wrong.code), wrong.bundle));
  }
  await refused(wrong.otpId, good);
  await refused(unknownId, good);

  const used = await startedOtp(service, { userIdentifier: 'used' });
  const sealed = await sealedCode(used.code, used.bundle);
  // The bundle is sealed to the key of another code.
  await refused(used.otpId, good);
  resultOf(await submit(service, verifyOtp, { otpId: used.otpId, encryptedOtpBundle: sealed }));
  await refused(used.otpId, sealed);

  const late = await startedOtp(service, { userIdentifier: 'late', expirationSeconds: '60' });
  service.advance(60_000);
  await refused(late.otpId, await sealedCode(late.code, late.bundle));

  const child = await addChild(service);
  const other = await startedOtp(service, { userIdentifier: 'other' });
  const encryptedOtpBundle = await sealedCode(other.code, other.bundle);
  const inChild = { otpId: other.otpId, encryptedOtpBundle };
  const answer = await submit(service, verifyOtp, inChild, child);
  assertRefused(answer, 400, 3);
  answers.push(answer.body);
  assert.equal(new Set(answers.map((each) => JSON.stringify(each))).size, 1);
});

test('verify_otp: a bundle that holds no code counts as a wrong code', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otpId, bundle, code } = await startedOtp(service);
  for (const encryptedOtpBundle of ['{}', 'x'.repeat(10_000), '{"encappedPublic":"04"}']) {
    assertRefused(await submit(service, verifyOtp, { otpId, encryptedOtpBundle }), 400, 3);
  }
  const encryptedOtpBundle = await sealedCode(code, bundle);
  assertRefused(await submit(service, verifyOtp, { otpId, encryptedOtpBundle }), 400, 3);
});

test('verify_otp: a repeated request counts once, and a dry run neither counts nor answers', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { otpId, bundle, code } = await startedOtp(service);
  const send = (body: Uint8Array) =>
    service.send('submit', verifyOtp.operation, body, [stampOf(body, service.root.key)]);
  const wrong = { otpId, encryptedOtpBundle: await sealedCode(wrongFor(code), bundle) };
  const body = activityBody(service, verifyOtp.type, wrong);
  for (const status of [400, 400, 400, 400]) assert.equal((await send(body)).status, status);
  const right = { otpId, encryptedOtpBundle: await sealedCode(code, bundle) };
  const before = await storedCount(service);
  const shown: string[] = [];
  for (const parameters of [wrong, right, wrong, right]) {
    const dry = activityBody(service, verifyOtp.type, parameters);
    const answer = await service.enclave.request({
      requestId: 'dry run',
      kind: 'dry_run',
      operation: verifyOtp.operation,
      headers: [stampOf(dry, service.root.key)],
      timestampObjects: false,
      remoteAddress: '127.0.0.1',
      body: dry,
    });
    assert.equal(answer.status, 200);
    shown.push(Buffer.from(answer.body).toString());
  }
  assert.equal(new Set(shown).size, 1);
  assert.deepEqual(await storedCount(service), before);
  resultOf(await submit(service, verifyOtp, right));
});

test('verify_otp: accepts the first version, and no mix of versions', async (t) => {
  const service = await startTestService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => service.close());
  const { otpId, otpCode } = await olderOtp(service);
  const wrongKey = { otpId, otpCode, publicKey: '04'.repeat(33) };
  const answer = await submit(service, olderVerify, wrongKey);
  assertRefused(answer, 400, 3);
  assert.equal(answer.body.details[0].fieldViolations[0].field, 'parameters.publicKey');
  const parameters = { otpId, otpCode: otpCode.toLowerCase(), publicKey: '' };
  const { verificationToken: unbound } = resultOf(await submit(service, olderVerify, parameters));
  const { id, ...claims } = claimsOf(unbound);
  const shown = {
    contact: alice,
    exp: Math.floor((service.now() + 3_600_000) / 1000),
    verification_type: 'OTP_TYPE_EMAIL',
    organization_id: service.root.organizationId,
  };
  assert.deepEqual(claims, shown);
  assert.ok(id);
  const second = await olderOtp(service);
  const bound = { ...second, publicKey };
  const { verificationToken } = resultOf(await submit(service, olderVerify, bound));
  assert.equal(claimsOf(verificationToken).public_key, publicKey);

  const newest = await startedOtp(service, { userIdentifier: 'newest' });
  const plain = { otpId: newest.otpId, otpCode: newest.code };
  assertRefused(await submit(service, olderVerify, plain), 400, 3);
  const oldest = await olderOtp(service);
  const sealed = await sealedCode(oldest.otpCode, newest.bundle);
  const mixed = { otpId: oldest.otpId, encryptedOtpBundle: sealed };
  assertRefused(await submit(service, verifyOtp, mixed), 400, 3);
  // Neither request counted as an attempt at the other code.
  resultOf(await submit(service, olderVerify, oldest));
});

test('verify_otp: requires an enabled login in a child', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const { otpId, bundle, code } = await startedOtp(service, {}, child);
  const parameters = { otpId, encryptedOtpBundle: await sealedCode(code, bundle) };
  await switchOn(service, child.organizationId, []);
  assertRefused(await submit(service, verifyOtp, parameters, child), 403, 7);
  await switchOn(service, child.organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const { verificationToken } = resultOf(await submit(service, verifyOtp, parameters, child));
  assert.equal(claimsOf(verificationToken).organization_id, child.organizationId);
});
