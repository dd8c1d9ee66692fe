import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init_otp_auth } from '../../../src/operations/one_time_codes/init_otp_auth.ts';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkActivity } from '../checks.ts';
import { factsOf, makeUser } from '../users/user_requests.ts';
import {
  alice,
  checkSwitchedOff,
  childWithAlice,
  describedOtp,
  initOtpAuth,
  lastCode,
  resultOf,
  submit,
  submitOlder,
  switchOn,
} from './otp_requests.ts';

test('init_otp_auth: mails a code to a user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Alice', { userEmail: alice });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const parameters = describedOtp({ otpLength: 7, expirationSeconds: '60' });
  const { otpId } = await checkActivity(service, {
    ...initOtpAuth,
    parameters,
    // The login of the child is switched off.
    refusedInChild: { status: 403, code: 7 },
    optional: ['otpLength', 'expirationSeconds'],
    malformed: [
      { field: 'parameters.otpLength', parameters: { ...parameters, otpLength: 5 } },
      {
        field: 'parameters.expirationSeconds',
        parameters: { ...parameters, expirationSeconds: '601' },
      },
    ],
  });
  assert.match(otpId, /^[0-9a-f-]{36}$/);
  assert.equal(service.outside.messages.length, 1);
  assert.equal(lastCode(service).length, 7);
});

test('init_otp_auth: the answer does not show if a user has the contact', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service);
  await makeUser(service, 'Twin', { userEmail: 'twin@example.com' }, child);
  await makeUser(service, 'Other twin', { userEmail: 'twin@example.com' }, child);
  // The parent requests the codes, and the limits are the same.
  const as = { organizationId: child.organizationId };
  for (const contact of ['alice@example.com', 'nobody@example.com', 'twin@example.com']) {
    for (const status of [...Array<number>(12).fill(200), 429]) {
      const answer = await submit(service, initOtpAuth, describedOtp({ contact }), as);
      assert.equal(answer.status, status);
      if (status === 200) assert.deepEqual(Object.keys(resultOf(answer)), ['otpId']);
    }
  }
  assert.deepEqual(new Set(service.outside.messages.map(({ to }) => to)), new Set([alice]));
});

test('init_otp_auth: accepts the older versions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const as = { organizationId: (await childWithAlice(service)).organizationId };
  const parameters = { otpType: 'OTP_TYPE_EMAIL', contact: alice };
  const emailCustomization = { appName: 'Example' };
  const form = { otpLength: 6, alphanumeric: false };
  for (const [type, result, more] of [
    ['INIT_OTP_AUTH_V2', 'initOtpAuthResultV2', { ...form, emailCustomization }],
    ['INIT_OTP_AUTH', 'initOtpAuthResult', {}],
  ] as const) {
    const sent = { ...parameters, ...more };
    const answer = await submitOlder(service, 'init_otp_auth', type, sent, as);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body.activity.result), [result]);
  }
  assert.equal(service.outside.messages.length, 2);
});

test('init_otp_auth: the login must be enabled, in a parent too', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkSwitchedOff(service, initOtpAuth, describedOtp(), /^OTP by e-mail is disabled in /);
  const { organizationId } = await childWithAlice(service, ['FEATURE_NAME_SMS_AUTH']);
  const answer = await submit(service, initOtpAuth, describedOtp(), { organizationId });
  assertRefused(answer, 403, 7);
});

test('init_otp_auth: policies see the length of the code', () => {
  const length = (otpLength: object) => factsOf(init_otp_auth, { ...describedOtp(), ...otpLength });
  assert.deepEqual(length({ otpLength: 6 }), { params: { otp_length: 6n } });
  assert.deepEqual(length({}), { params: { otp_length: 9n } });
});
