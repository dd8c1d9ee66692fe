// One-time codes over the real service and a real mail server, with the unmodified packages: from the
// code in the mail to a session, and from a mailed bundle to a key.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import {
  decryptCredentialBundle,
  encryptOtpCodeToBundle,
  generateP256KeyPair,
  getPublicKey,
  verifyOtpVerificationToken,
  verifySessionJwtSignature,
} from '@turnkey/crypto';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import { type Mail, plainTextOf, startMailServer } from '../support/mail_server.ts';
import { newApiKey, serverClient, timestampMs } from './clients.ts';
import { serviceOfThisFile, until } from './service.ts';
import { loginUsage, signUpUsage } from './token_usage.ts';

const mailServer = await startMailServer();
after(() => mailServer.close());
const service = await serviceOfThisFile({
  KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
  KEYWRIGHT_EMAIL_FROM: 'keys@example.net',
});
const { organizationId } = service.credentials;
const client = serverClient(service);

/** Returns the mails to an address, once this number has arrived. */
async function mailsTo(address: string, count: number): Promise<readonly Mail[]> {
  const found = () => mailServer.mails.filter(({ to }) => to.includes(address));
  await until(`${count} mails to ${address}`, () => found().length >= count);
  return found();
}

async function codeTo(address: string, count = 1): Promise<string> {
  const text = plainTextOf((await mailsTo(address, count)).at(-1) ?? assert.fail());
  return /^([0-9A-Z]{6,9})$/m.exec(text)?.[1] ?? assert.fail(text);
}

/** Returns the key in a signed bundle. Clients pin it, and this test trusts it. */
const signerOf = (bundle: string): string => JSON.parse(bundle).enclaveQuorumPublic;

test('a code becomes a token, a sign-up and a session, each once', async () => {
  const contact = 'ada@example.com';
  const { otpId, otpEncryptionTargetBundle: bundle } = await client.initOtp({
    otpType: 'OTP_TYPE_EMAIL',
    contact: 'Ada@example.com',
    appName: 'Example',
    sendFromEmailSenderName: 'Example keys',
  });
  const code = await codeTo(contact);
  const [mail] = await mailsTo(contact, 1);
  assert.match(mail?.raw ?? '', /^From: Example keys <keys@example\.net>\r$/m);
  assert.match(mail?.raw ?? '', /^Subject: Your Example code\r$/m);
  const events = async () => (await client.listEmailEvents({ email: contact })).emailEvents;
  await until('the event of the mail arrives', async () => (await events()).length > 0);
  const [event, ...others] = await events();
  assert.deepEqual(others, []);
  assert.equal(event?.eventType, 'Send');
  assert.equal(event.fromAddress, 'keys@example.net');
  assert.equal(event.toAddress, contact);
  assert.match(
    mail?.raw ?? '',
    new RegExp(`^Message-ID: <${event.messageId}@example\\.net>\r$`, 'm'),
  );

  const key = newApiKey();
  const signer = signerOf(bundle);
  const encryptedOtpBundle = await encryptOtpCodeToBundle(code, bundle, key.apiPublicKey, signer);
  const { verificationToken } = await client.verifyOtp({ otpId, encryptedOtpBundle });
  const claims = await verifyOtpVerificationToken(verificationToken, signer);
  assert.equal(claims.contact, contact);
  assert.equal(claims.public_key, key.apiPublicKey);
  await assert.rejects(client.verifyOtp({ otpId, encryptedOtpBundle }), /Invalid OTP code/);

  const user = {
    userEmail: 'Ada@example.com',
    apiKeys: [],
    authenticators: [],
    oauthProviders: [],
  };
  const signUp = {
    subOrganizationName: 'Ada',
    rootUsers: [{ userName: 'Ada', ...user }],
    rootQuorumThreshold: 1,
    verificationToken,
    clientSignature: signUpUsage(verificationToken, key, 'Ada@example.com'),
  };
  const { subOrganizationId } = await client.createSubOrganization(signUp);
  assert.deepEqual(
    (await client.getVerifiedSubOrgIds({ filterType: 'EMAIL', filterValue: contact }))
      .organizationIds,
    [subOrganizationId],
  );
  await assert.rejects(client.createSubOrganization(signUp), /it was used before/);

  const login = {
    organizationId: subOrganizationId,
    verificationToken,
    publicKey: key.apiPublicKey,
    clientSignature: loginUsage(verificationToken, key, key.apiPublicKey),
  };
  const { session } = await client.otpLogin(login);
  // Another key signs session tokens.
  assert.equal(await verifySessionJwtSignature(session, signer), false);
  const own = serverClient(service, { key, organizationId: subOrganizationId });
  assert.equal((await own.getWhoami()).organizationId, subOrganizationId);
  await assert.rejects(client.otpLogin(login), /it was used before/);
});

// The client package for browsers does this: the token's key stamps the login itself.
test('a token vouches for the key that stamps a login', async () => {
  const contact = 'ida@example.com';
  const { subOrganizationId } = await client.createSubOrganization({
    subOrganizationName: 'Ida',
    rootUsers: [
      { userName: 'Ida', userEmail: contact, apiKeys: [], authenticators: [], oauthProviders: [] },
    ],
    rootQuorumThreshold: 1,
  });
  const { otpId, otpEncryptionTargetBundle: bundle } = await client.initOtp({
    otpType: 'OTP_TYPE_EMAIL',
    contact,
    appName: 'Example',
  });
  const key = newApiKey();
  const encryptedOtpBundle = await encryptOtpCodeToBundle(
    await codeTo(contact),
    bundle,
    key.apiPublicKey,
    signerOf(bundle),
  );
  const { verificationToken } = await client.verifyOtp({ otpId, encryptedOtpBundle });
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_STAMP_LOGIN',
    timestampMs: timestampMs(),
    organizationId: subOrganizationId,
    parameters: { publicKey: key.apiPublicKey },
  });
  const stamp = {
    scheme: 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN',
    publicKey: key.apiPublicKey,
    publicKeyAttestation: verificationToken,
    signature: hex(p256.sign(utf8(body), Uint8Array.fromHex(key.apiPrivateKey), { format: 'der' })),
  };
  const answer = await fetch(`${service.baseUrl}/public/v1/submit/stamp_login`, {
    method: 'POST',
    headers: { 'X-Stamp-Attested': base64url(utf8(JSON.stringify(stamp))) },
    body,
  });
  assert.equal(answer.status, 200, await answer.text());
  const own = serverClient(service, { key, organizationId: subOrganizationId });
  const { organizationId: found, userId } = await own.getWhoami();
  assert.equal(found, subOrganizationId);
  assert.equal((await own.getUser({ userId })).user.userEmail, contact);
});

test('the functions for servers of applications work', async () => {
  process.env['NEXT_PUBLIC_BASE_URL'] = service.baseUrl;
  process.env['NEXT_PUBLIC_ORGANIZATION_ID'] = organizationId;
  process.env['TURNKEY_API_PUBLIC_KEY'] = service.credentials.apiPublicKey;
  process.env['TURNKEY_API_PRIVATE_KEY'] = service.credentials.apiPrivateKey;
  // The functions read the address of the service when they are loaded, before the service starts.
  const functions = new URL('actions.mjs?again', import.meta.resolve('@turnkey/sdk-server'));
  const server: typeof import('@turnkey/sdk-server')['server'] = await import(functions.href);
  const contact = 'bob@example.com';
  const request = { appName: 'Example', otpType: 'OTP_TYPE_EMAIL', contact, otpLength: 6 };
  // The package does not export these types.
  type Wanted = Parameters<typeof server.getOrCreateSuborg>[0];
  const subOrganizations: (readonly string[])[] = [];
  for (const count of [1, 2]) {
    const sent = await server.sendOtp(request);
    assert(sent !== undefined);
    const { otpId, otpEncryptionTargetBundle: bundle } = sent;
    const code = await codeTo(contact, count);
    const key = newApiKey();
    const encryptedOtpBundle = await encryptOtpCodeToBundle(
      code,
      bundle,
      key.apiPublicKey,
      signerOf(bundle),
    );
    const verified = await server.verifyOtp({ otpId, encryptedOtpBundle });
    assert(verified !== undefined);
    const { subOrganizationIds } = await server.getOrCreateSuborg({
      filterType: 'EMAIL' as Wanted['filterType'],
      filterValue: contact,
      additionalData: { email: contact },
    });
    const [suborgID = ''] = subOrganizationIds;
    const { verificationToken } = verified;
    const loggedIn = await server.otpLogin({
      suborgID,
      verificationToken,
      publicKey: key.apiPublicKey,
      clientSignature: loginUsage(verificationToken, key, key.apiPublicKey),
      sessionLengthSeconds: 60,
    });
    assert.match(loggedIn?.session ?? '', /^[^.]+\.[^.]+\.[^.]+$/);
    subOrganizations.push(subOrganizationIds);
  }
  // A user who has logged in by a code is identified by it from then on.
  assert.deepEqual(subOrganizations[0], subOrganizations[1]);
});

test('a mailed bundle contains a key that stamps', async () => {
  await client.setOrganizationFeature({
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value: 'https://app.example',
  });
  const contact = 'eve@example.com';
  const { subOrganizationId } = await client.createSubOrganization({
    subOrganizationName: 'Eve',
    rootUsers: [
      { userName: 'Eve', userEmail: contact, apiKeys: [], authenticators: [], oauthProviders: [] },
    ],
    rootQuorumThreshold: 1,
  });
  const target = generateP256KeyPair();
  const { userId } = await client.emailAuth({
    organizationId: subOrganizationId,
    email: contact,
    targetPublicKey: target.publicKeyUncompressed,
    emailCustomization: {
      appName: 'Example',
      magicLinkTemplate: 'https://app.example/login?bundle=%s',
    },
  });
  const [mail] = await mailsTo(contact, 1);
  assert(mail !== undefined);
  const bundle = /https:\/\/app\.example\/login\?bundle=(\w+)/.exec(plainTextOf(mail))?.[1] ?? '';
  const apiPrivateKey = decryptCredentialBundle(bundle, target.privateKey);
  const apiPublicKey = hex(getPublicKey(apiPrivateKey));
  const own = serverClient(service, {
    key: { apiPublicKey, apiPrivateKey },
    organizationId: subOrganizationId,
  });
  assert.equal((await own.getWhoami()).userId, userId);
});
