import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import {
  alice,
  alicePhone,
  allowLinks,
  childWithAlice,
  describedOtp,
  initOtp,
  initOtpAuth,
  lastCode,
  resultOf,
  serviceKeys,
  startedOtp,
  submit,
} from './otp_requests.ts';

const minuteMs = 60_000;

test('init_otp: mails a code, and returns a key to seal the code to', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await allowLinks(service);
  const parameters = {
    ...describedOtp({ contact: 'Alice@example.com' }),
    otpLength: 6,
    alphanumeric: false,
    userIdentifier: 'alice',
    expirationSeconds: '60',
    emailCustomization: {
      logoUrl: 'https://app.example/logo.png',
      magicLinkTemplate: 'https://app.example/%s',
      templateVariables: '{"name":"Alice"}',
    },
    smsCustomization: { template: 'Code: {{.OtpCode}}' },
    sendFromEmailAddress: 'keys@app.example',
    sendFromEmailSenderName: 'Example keys',
    replyToEmailAddress: 'help@app.example',
  };
  const wrong = (field: string, changes: object) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, ...changes },
  });
  const { otpId, otpEncryptionTargetBundle } = await checkActivity(service, {
    ...initOtp,
    parameters,
    optional: Object.keys(parameters).filter(
      (name) => !['otpType', 'contact', 'appName'].includes(name),
    ),
    malformed: [
      wrong('otpType', { otpType: 'OTP_TYPE_WHATSAPP' }),
      wrong('contact', { contact: 'alice' }),
      wrong('otpLength', { otpLength: 5 }),
      wrong('otpLength', { otpLength: 10 }),
      wrong('expirationSeconds', { expirationSeconds: '601' }),
      wrong('expirationSeconds', { expirationSeconds: '0' }),
      wrong('userIdentifier', { userIdentifier: 'x'.repeat(257) }),
      wrong('appName', { appName: '' }),
      wrong('appName', { appName: 'Two\r\nlines' }),
      wrong('emailCustomization.magicLinkTemplate', {
        emailCustomization: { magicLinkTemplate: 'https://app.example/' },
      }),
      wrong('emailCustomization.templateId', { emailCustomization: { templateId: 'x' } }),
      wrong('smsCustomization.template', { smsCustomization: { template: 'without a code' } }),
      wrong('sendFromEmailAddress', { sendFromEmailAddress: 'keys' }),
    ],
  });
  assert.match(otpId, /^[0-9a-f-]{36}$/);
  const bundle = JSON.parse(otpEncryptionTargetBundle);
  assert.equal(bundle.enclaveQuorumPublic, hex(serviceKeys.publicKey('verifier')));
  const data = JSON.parse(Buffer.from(bundle.data, 'hex').toString());
  assert.deepEqual(Object.keys(data), ['targetPublic', 'organizationId']);
  const [message, second] = service.outside.messages;
  assert.equal(second, undefined, 'a repetition sends nothing');
  assert(message?.channel === 'email');
  assert.equal(message.to, alice);
  assert.equal(message.subject, 'Your Example code');
  assert.equal(message.from, 'keys@app.example');
  assert.equal(message.senderName, 'Example keys');
  assert.equal(message.replyTo, 'help@app.example');
  assert.match(lastCode(service), /^[0-9]{6}$/);
  assert.ok(message.text.includes(`\n\nhttps://app.example/${lastCode(service)}\n\n`));
  assert.match(message.text, /valid for 1 minute/);
});

test('init_otp: sends a code by text message', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const smsCustomization = { template: '{{.OtpCode}} is it.' };
  const phone = { otpType: 'OTP_TYPE_SMS', contact: alicePhone };
  resultOf(await submit(service, initOtp, describedOtp({ ...phone, smsCustomization })));
  const [message] = service.outside.messages;
  assert(message?.channel === 'sms');
  assert.equal(message.to, alicePhone);
  assert.match(message.text, /^[0-9A-HJKMNP-TV-Z]{9} is it\.$/);
  const { code } = await startedOtp(service, phone);
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{9}$/);
});

test('init_otp: allows three codes in three minutes, of which three can be live', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const tooMany = {
    status: 429,
    code: 8,
    text: /^Max number of OTPs have been initiated/,
    clientCode: 'MAX_OTP_INITIATED',
  };
  const send = (changes: object) => startedOtp(service, changes);
  const refused = (changes: object) =>
    checkRefused(service, { ...initOtp, parameters: describedOtp(changes) }, tooMany);
  // Codes count per user identifier if there is one, across contacts.
  for (const contact of [alice, alice, 'other@example.com']) {
    await send({ contact, userIdentifier: 'alice' });
  }
  await refused({ userIdentifier: 'alice', contact: 'third@example.com' });
  // All codes for a contact also have a limit.
  for (let i = 0; i < 9; i += 1) await send({ expirationSeconds: '60' });
  await send({ contact: 'ALICE@example.com' });
  await refused({});
  await refused({ userIdentifier: 'somebody else' });
  await send({ contact: 'other@example.com' });
  service.advance(3 * minuteMs - 60);
  await refused({});
  service.advance(60);
  await send({});
});

test('init_otp: accepts the older versions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const versions = [
    ['ACTIVITY_TYPE_INIT_OTP_V2', 'initOtpIntentV2', describedOtp()],
    [
      'ACTIVITY_TYPE_INIT_OTP',
      'initOtpIntent',
      {
        otpType: 'OTP_TYPE_EMAIL',
        contact: alice,
        emailCustomization: { appName: 'Example', logoUrl: '', templateId: '' },
      },
    ],
  ] as const;
  for (const [type, intent, parameters] of versions) {
    const { status, body } = await service.submit('init_otp', type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body.activity.intent), [intent]);
    assert.deepEqual(Object.keys(body.activity.result), ['initOtpResult']);
    assert.deepEqual(Object.keys(body.activity.result.initOtpResult), ['otpId']);
    const message = service.outside.messages.at(-1);
    assert(message?.channel === 'email');
    assert.equal(message.subject, 'Your Example code');
  }
});

test('init_otp: in a child a code is a login, which must be enabled', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await childWithAlice(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  resultOf(await submit(service, initOtp, describedOtp(), child));
  const phone = describedOtp({ otpType: 'OTP_TYPE_SMS', contact: alicePhone });
  const answer = await submit(service, initOtp, phone, child);
  assertRefused(answer, 403, 7);
  assert.match(answer.body.message, /^OTP by SMS is disabled in organization /);
  // In the parent a code only verifies a contact, so no login must be enabled.
  resultOf(await submit(service, initOtp, phone));
});

test('init_otp: sends no code that could not arrive', async (t) => {
  const service = await startTestService({ deployment: { sendsEmail: false, sendsSms: false } });
  t.after(() => service.close());
  const refusal = { status: 403, code: 7, clientCode: 'EMAIL_SENDING_DISABLED' };
  const text = /^the service cannot send e-mails/;
  await checkRefused(service, { ...initOtp, parameters: describedOtp() }, { ...refusal, text });
  const phone = describedOtp({ otpType: 'OTP_TYPE_SMS', contact: alicePhone });
  const sms = { status: 403, code: 7, text: /^the service cannot send text messages/ };
  await checkRefused(service, { ...initOtp, parameters: phone }, sms);
  assert.deepEqual(service.outside.messages, []);
});

test('init_otp: test contacts have a fixed code, but not in production', async (t) => {
  for (const isDevelopment of [true, false]) {
    const service = await startTestService({ deployment: { isDevelopment } });
    t.after(() => service.close());
    const form = { otpLength: 6, alphanumeric: false };
    for (const contact of [
      { otpType: 'OTP_TYPE_EMAIL', contact: 'user@example.com' },
      { otpType: 'OTP_TYPE_SMS', contact: '+19999999999' },
    ]) {
      const parameters = describedOtp({ ...form, ...contact });
      const type = 'ACTIVITY_TYPE_INIT_OTP_V2';
      const { otpId } = resultOf(await service.submit('init_otp', type, parameters));
      const verify = { otpId, otpCode: '000000', publicKey: testKey('client').publicKey };
      const answer = await service.submit('verify_otp', 'ACTIVITY_TYPE_VERIFY_OTP', verify);
      assert.equal(answer.status, isDevelopment ? 200 : 400);
    }
    assert.equal(service.outside.messages.length, isDevelopment ? 0 : 2);
  }
});

test('init_otp: sends text messages only to allowed numbers', async (t) => {
  const start = async (deployment: object) => {
    const service = await startTestService({ deployment: { isDevelopment: false, ...deployment } });
    t.after(() => service.close());
    return service;
  };
  const to = (contact: string) => describedOtp({ otpType: 'OTP_TYPE_SMS', contact });
  const refusal = { status: 403, code: 7, text: /KEYWRIGHT_SMS_PREFIXES/ };
  const none = await start({ smsPrefixes: [] });
  await checkRefused(none, { ...initOtp, parameters: to(alicePhone) }, refusal);
  const some = await start({ smsPrefixes: ['+4930', '+1212'] });
  resultOf(await submit(some, initOtp, to(alicePhone)));
  for (const contact of ['+4931123456', '+19005550123', '+882161234567']) {
    await checkRefused(some, { ...initOtp, parameters: to(contact) }, refusal);
    const child = await childWithAlice(some);
    const answer = await submit(some, initOtpAuth, to(contact), child);
    assertRefused(answer, 403, 7);
  }
  const every = await start({ smsPrefixes: ['+'] });
  resultOf(await submit(every, initOtp, to('+882161234567')));
  const development = await start({ smsPrefixes: ['+49'], isDevelopment: true });
  resultOf(await submit(development, initOtp, to('+19999999999')));
});
