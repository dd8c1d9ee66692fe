import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestService, testKey } from '../../support/harness.ts';
import { assertRefused, assertViolation, storedCount } from '../checks.ts';
import {
  alice,
  claimsOf,
  lastCode,
  loginSignature,
  sealedCode,
  startedOtp,
  usageSignature,
} from '../one_time_codes/otp_requests.ts';
import { accepted, callProxy, configure, nobody, startProxyService } from './proxy_requests.ts';

const byEmail = { otpType: 'OTP_TYPE_EMAIL', contact: alice };
const client = testKey('client');

/** Gets a verification token of the current version through the proxy alone. */
async function verified(service: TestService, asked: object = byEmail): Promise<string> {
  const { otpId, otpEncryptionTargetBundle } = await accepted(
    callProxy(service, 'otp_init_v2', asked),
  );
  const encryptedOtpBundle = await sealedCode(lastCode(service), otpEncryptionTargetBundle);
  const body = { otpId, encryptedOtpBundle };
  return (await accepted(callProxy(service, 'otp_verify_v2', body))).verificationToken;
}

/** Gets a verification token of the first version. */
async function verifiedAtFirst(service: TestService, more: object = {}): Promise<string> {
  const { otpId, ...rest } = await accepted(callProxy(service, 'otp_init', byEmail));
  assert.deepEqual(rest, {});
  const body = { otpId, otpCode: lastCode(service), ...more };
  return (await accepted(callProxy(service, 'otp_verify', body))).verificationToken;
}

/** Signs up with a verified address; returns the id of the new organization. */
async function signedUp(service: TestService): Promise<string> {
  const verificationToken = await verified(service);
  const signature = { type: 'USAGE_TYPE_SIGNUP', signupV2: { email: alice } };
  const clientSignature = usageSignature(verificationToken, signature);
  const body = { ...nobody, userEmail: alice, verificationToken, clientSignature };
  service.advance(200_000);
  return (await accepted(callProxy(service, 'signup_v2', body))).organizationId;
}

test('otp_init_v2, otp_verify_v2, otp_login_v2: lead from an address to a session', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await configure(service, { sessionExpirationSeconds: 1234 });
  const organizationId = await signedUp(service);
  const verificationToken = await verified(service);
  const { publicKey } = client;
  const body = {
    verificationToken,
    publicKey,
    clientSignature: loginSignature(verificationToken, publicKey),
  };
  const { session } = await accepted(callProxy(service, 'otp_login_v2', body));
  const claims = claimsOf(session);
  assert.equal(claims.organization_id, organizationId);
  assert.equal(claims.exp, Math.floor(service.now() / 1000) + 1234);
  const whoami = await accepted(service.query('whoami', {}, { organizationId, key: client }));
  assert.equal(whoami.organizationId, organizationId);

  const again = await callProxy(service, 'otp_login_v2', body);
  assertRefused(again, 400, 3);
  assert.match(again.body.message, /used before$/);
});

test('otp_init, otp_verify, signup, otp_login: the first versions still work', async (t) => {
  const service = await startProxyService({ deployment: { acceptsUnboundTokens: true } });
  t.after(() => service.close());
  const token = await verifiedAtFirst(service);
  const body = { ...nobody, userEmail: alice, verificationToken: token };
  const { organizationId } = await accepted(callProxy(service, 'signup', body));
  service.advance(200_000);
  const login = { verificationToken: await verifiedAtFirst(service), publicKey: client.publicKey };
  const { session } = await accepted(callProxy(service, 'otp_login', login));
  assert.equal(claimsOf(session).organization_id, organizationId);
});

test('otp_init: sends the code as the settings configure it', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await configure(service, {
    otpLength: 6,
    otpAlphanumeric: false,
    otpExpirationSeconds: 60,
    sendFromEmailAddress: 'login@wallet.example',
    sendFromEmailSenderName: 'Wallet',
    replyToEmailAddress: 'help@wallet.example',
    emailCustomizationParams: { appName: 'Wallet' },
    smsCustomizationParams: { template: 'Wallet: {{.OtpCode}}' },
  });
  await accepted(callProxy(service, 'otp_init_v2', byEmail));
  const mail = service.outside.messages.at(-1);
  assert(mail?.channel === 'email');
  assert.deepEqual(
    [mail.to, mail.from, mail.senderName, mail.replyTo, mail.subject],
    [alice, 'login@wallet.example', 'Wallet', 'help@wallet.example', 'Your Wallet code'],
  );
  assert.match(lastCode(service), /^\d{6}$/);
  assert.match(mail.text, /valid for 1 minute /);
  await accepted(
    callProxy(service, 'otp_init_v2', { otpType: 'OTP_TYPE_SMS', contact: '+4930123456' }),
  );
  assert.match(service.outside.messages.at(-1)?.text ?? '', /^Wallet: \d{6}$/);

  await configure(service, { emailCustomizationParams: {} });
  await accepted(callProxy(service, 'otp_init', { ...byEmail, contact: 'bob@example.com' }));
  const plain = service.outside.messages.at(-1);
  assert(plain?.channel === 'email');
  assert.equal(plain.subject, 'Your Test organization code', 'else it has the name of the parent');
});

test('otp_init: counts a code against the source of the request, not against its organization', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const accountFrom = async (address: string, asked: object): Promise<string | undefined> => {
    Object.assign(service, { remoteAddress: address });
    await accepted(callProxy(service, 'otp_init_v2', asked));
    return service.outside.messages.at(-1)?.account;
  };
  const bySms = { otpType: 'OTP_TYPE_SMS', contact: '+4930123456' };
  assert.deepEqual(
    [
      await accountFrom('192.0.2.1', byEmail),
      await accountFrom('2001:db8::1', bySms),
      await accountFrom('2001:db8::2', byEmail),
    ],
    ['192.0.2.1/32', '2001:db8::/64', '2001:db8::/64'].map((from) => `${organizationId} ${from}`),
  );
});

test('otp_init: settings with empty texts count as absent', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const emailCustomizationParams = {
    appName: '',
    logoUrl: '',
    magicLinkTemplate: '',
    templateVariables: '',
    templateId: '',
  };
  await configure(service, { emailCustomizationParams, smsCustomizationParams: { template: '' } });
  await accepted(callProxy(service, 'otp_init_v2', byEmail));
  assert.equal(service.outside.messages.at(-1)?.channel, 'email');
  assert.match(JSON.stringify(service.outside.messages.at(-1)), /Your Test organization code/);
  const bySms = { otpType: 'OTP_TYPE_SMS', contact: '+4930123456' };
  await accepted(callProxy(service, 'otp_init', bySms));
  assert.match(service.outside.messages.at(-1)?.text ?? '', /^Your Test organization code is /);
});

test('otp_init: users with and without an account get the same answer', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await signedUp(service);
  for (const contact of [alice, 'nobody@example.com']) {
    const answer = await accepted(callProxy(service, 'otp_init_v2', { ...byEmail, contact }));
    assert.deepEqual(Object.keys(answer), ['otpId', 'otpEncryptionTargetBundle']);
    const last = service.outside.messages.at(-1);
    assert.equal(last?.to, contact);
  }
});

test('otp_init, otp_verify: refuse malformed requests, wrong codes and too many of them', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  assertViolation(await callProxy(service, 'otp_init', {}), 'otpType');
  assertViolation(await callProxy(service, 'otp_init', { ...byEmail, surprise: 1 }), 'surprise');
  assertViolation(await callProxy(service, 'otp_init_v2', { ...byEmail, contact: 'x' }), 'contact');
  const template = { ...byEmail, emailCustomization: { templateId: 'x' } };
  assertViolation(
    await callProxy(service, 'otp_init_v2', template),
    'emailCustomization.templateId',
  );
  const { publicKey } = client;
  const { otpId } = await accepted(callProxy(service, 'otp_init', byEmail));
  const wrong = await callProxy(service, 'otp_verify', { otpId, otpCode: 'WRONG', publicKey });
  assertRefused(wrong, 400, 3);
  assert.match(wrong.body.message, /^Invalid OTP code/);
  assertViolation(await callProxy(service, 'otp_verify', { otpId: 'x', otpCode: '1' }), 'otpId');
  assertViolation(await callProxy(service, 'otp_verify_v2', { otpId }), 'encryptedOtpBundle');
  for (let i = 0; i < 2; i += 1) await accepted(callProxy(service, 'otp_init', byEmail));
  const tooMany = await callProxy(service, 'otp_init', byEmail);
  assertRefused(tooMany, 429, 8);
  assert.match(tooMany.body.message, /^Max number of OTPs have been initiated/);
});

test('otp_verify: records attempts that count, and no other attempts of strangers', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { publicKey } = client;
  const { otpId } = await accepted(callProxy(service, 'otp_init', byEmail));
  const attempt = async (id: string) =>
    assertRefused(
      await callProxy(service, 'otp_verify', { otpId: id, otpCode: 'WRONG', publicKey }),
      400,
      3,
    );
  for (let i = 0; i < 3; i += 1) await attempt(otpId);
  const before = await storedCount(service);
  for (const id of [otpId, service.root.userId]) await attempt(id);
  assert.deepEqual(await storedCount(service), before);
  const { activities } = await accepted(service.query('list_activities'));
  const tries = activities.filter((each: { type: string }) => /VERIFY_OTP$/.test(each.type));
  assert.equal(tries.length, 3);
});

test('otp_verify: wrong codes of one source count for all contacts together', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const { publicKey } = client;
  const started = async (contact: string) => {
    const { otpId } = await accepted(callProxy(service, 'otp_init', { ...byEmail, contact }));
    return { otpId, otpCode: lastCode(service), publicKey };
  };
  const earlier = await started('earlier@example.com');
  for (let i = 0; i < 12; i += 1) {
    const { otpId } = await started(`target-${i}@example.com`);
    for (let guess = 0; guess < 3; guess += 1) {
      const wrong = { otpId, otpCode: `00000000${guess}`, publicKey };
      assertRefused(await callProxy(service, 'otp_verify', wrong), 400, 3);
    }
  }
  const before = await storedCount(service);
  assertRefused(await callProxy(service, 'otp_verify', earlier), 400, 3);
  assert.deepEqual(await storedCount(service), before);
  const refused = await callProxy(service, 'otp_init', byEmail);
  assertRefused(refused, 429, 8);
  assert.equal(refused.body.turnkeyErrorCode, 'MAX_OTP_INITIATED');
  // A stamped caller, and strangers elsewhere, are not affected.
  await startedOtp(service);
  service.remoteAddress = '192.0.2.66';
  await accepted(callProxy(service, 'otp_verify', await started(alice)));
  service.remoteAddress = '127.0.0.1';
  service.advance(180_000);
  await accepted(callProxy(service, 'otp_verify', earlier));
});

test('otp_login: refuses unknown users, other organizations and disallowed methods', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const verificationToken = await verified(service);
  const { publicKey } = client;
  const clientSignature = loginSignature(verificationToken, publicKey);
  const body = { verificationToken, publicKey, clientSignature };
  const unknown = await callProxy(service, 'otp_login_v2', body);
  assertRefused(unknown, 401, 16);
  assert.equal(unknown.body.turnkeyErrorCode, 'CREDENTIAL_NOT_FOUND');
  for (const organizationId of [service.root.organizationId, service.root.userId]) {
    assertRefused(await callProxy(service, 'otp_login_v2', { ...body, organizationId }), 404, 5);
  }
  const { clientSignature: _, ...unsigned } = body;
  assertViolation(await callProxy(service, 'otp_login_v2', unsigned), 'clientSignature');
  assertRefused(await callProxy(service, 'otp_login', { ...body, verificationToken: 'x' }), 400, 3);
  await configure(service, { allowedAuthMethods: ['sms', 'passkey'] });
  assertRefused(await callProxy(service, 'otp_login_v2', body), 403, 7);
  assertRefused(await callProxy(service, 'otp_init_v2', byEmail), 403, 7);
  await accepted(
    callProxy(service, 'otp_init_v2', { otpType: 'OTP_TYPE_SMS', contact: '+4930123456' }),
  );
});

test('otp_login_v2: takes a named organization, and ends earlier sessions on request', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const organizationId = await signedUp(service);
  const sessions: string[] = [];
  for (const [name, invalidateExisting] of [
    ['first', false],
    ['second', true],
  ] as const) {
    const verificationToken = await verified(service);
    const { publicKey } = testKey(name);
    const body = {
      verificationToken,
      publicKey,
      invalidateExisting,
      organizationId,
      clientSignature: loginSignature(verificationToken, publicKey),
    };
    const { session } = await accepted(callProxy(service, 'otp_login_v2', body));
    sessions.push(session);
    service.advance(200_000);
  }
  const read = (name: string) =>
    service.query('whoami', {}, { organizationId, key: testKey(name) });
  assertRefused(await read('first'), 401, 16);
  await accepted(read('second'));
});

test('otp_init_v2: requests of strangers use nothing up for the owner of a contact', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const ask = () => callProxy(service, 'otp_init_v2', byEmail);
  const owner = await accepted(ask());
  const code = lastCode(service);
  service.remoteAddress = '192.0.2.66';
  for (let i = 0; i < 3; i += 1) await accepted(ask());
  const refused = await ask();
  assertRefused(refused, 429, 8);
  assert.equal(refused.body.turnkeyErrorCode, 'MAX_OTP_INITIATED');
  service.remoteAddress = '127.0.0.1';
  await accepted(ask());
  const encryptedOtpBundle = await sealedCode(code, owner.otpEncryptionTargetBundle);
  await accepted(callProxy(service, 'otp_verify_v2', { otpId: owner.otpId, encryptedOtpBundle }));
  // Many strangers use up the limit of strangers for this contact, not the limit of stamped callers.
  for (let i = 0; i < 7; i += 1) {
    service.remoteAddress = `192.0.2.${i}`;
    await accepted(ask());
  }
  service.remoteAddress = '192.0.2.99';
  assertRefused(await ask(), 429, 8);
  await startedOtp(service);
});

test('otp_init_v2: known and unknown contacts get the same answer and the same writes', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  await signedUp(service);
  const views: unknown[] = [];
  for (const contact of [alice, 'nobody@example.com']) {
    const before = await storedCount(service);
    const { status, body } = await callProxy(service, 'otp_init_v2', { ...byEmail, contact });
    const after = await storedCount(service);
    views.push([status, Object.keys(body), after.activities - before.activities]);
  }
  assert.deepEqual(views[0], views[1]);
});
