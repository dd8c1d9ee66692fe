// Requests about one-time codes, in the form of unmodified clients, and their answers.

import assert from 'node:assert/strict';
import { encryptOtpCodeToBundle } from '@turnkey/crypto';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import type { FeatureName } from '../../../src/core/base/enums.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { fixedServiceKeys } from '../../core/crypto/service_keys.test.ts';
import {
  type Sender,
  type TestAnswer,
  type TestKey,
  type TestService,
  testKey,
} from '../../support/harness.ts';
import { assertRefused, storedCount } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { describedUser, makeUser } from '../users/user_requests.ts';

export const alice = 'alice@example.com';
export const alicePhone = '+4930123456';

/** The keys of every test service. */
export const serviceKeys = fixedServiceKeys(7);

/** Creates a child whose user has an address and a phone number, with these logins enabled. */
export async function childWithAlice(
  service: TestService,
  features: readonly FeatureName[] = [
    'FEATURE_NAME_EMAIL_AUTH',
    'FEATURE_NAME_OTP_EMAIL_AUTH',
    'FEATURE_NAME_SMS_AUTH',
    'FEATURE_NAME_EMAIL_RECOVERY',
  ],
): Promise<Required<Sender> & { readonly userId: string }> {
  const child = await addChild(service);
  const contacts = { userEmail: 'Alice@example.com', userPhoneNumber: alicePhone };
  const userId = await makeUser(service, 'Alice', contacts, child);
  await switchOn(service, child.organizationId, features);
  return { ...child, userId };
}

/** Enables exactly these features. */
export async function switchOn(
  service: TestService,
  organizationId: string,
  features: readonly FeatureName[],
): Promise<void> {
  await changeOrganization(
    service,
    (draft) => {
      draft.setHead({ features: features.map((name) => ({ name })) });
      return undefined;
    },
    organizationId,
  );
}

/** Allows a page as the target of links in mails. */
export const allowLinks = async (service: TestService, origin = 'https://app.example') =>
  resultOf(
    await service.submit('set_organization_feature', 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
      name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
      value: origin,
    }),
  );

/** Creates another user with an address. */
export const makeUserWith = (service: TestService, userEmail: string, as: Sender) =>
  makeUser(service, `User ${userEmail}`, describedUser('x', { userEmail, apiKeys: [] }), as);

export const initOtp = {
  operation: 'init_otp',
  type: 'ACTIVITY_TYPE_INIT_OTP_V3',
  intent: 'initOtpIntentV3',
  result: 'initOtpResultV2',
} as const;
export const verifyOtp = {
  operation: 'verify_otp',
  type: 'ACTIVITY_TYPE_VERIFY_OTP_V2',
  intent: 'verifyOtpIntentV2',
  result: 'verifyOtpResult',
} as const;
export const otpLogin = {
  operation: 'otp_login',
  type: 'ACTIVITY_TYPE_OTP_LOGIN_V2',
  intent: 'otpLoginIntentV2',
  result: 'otpLoginResult',
} as const;

export const describedOtp = (changes: object = {}) => ({
  otpType: 'OTP_TYPE_EMAIL',
  contact: alice,
  appName: 'Example',
  ...changes,
});

/** Returns the result of an activity that must complete. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export function resultOf({ status, body }: TestAnswer): any {
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  return Object.values(body.activity.result)[0];
}

/** Returns the code in the last message. */
export function lastCode(service: TestService): string {
  const text = service.outside.messages.at(-1)?.text ?? '';
  const code = /^([0-9A-Z]{6,9})$/m.exec(text)?.[1] ?? /code is ([0-9A-Z]{6,9})\./.exec(text)?.[1];
  assert(code !== undefined, `a code in ${text}`);
  return code;
}

/** Sends an activity in its newest version. */
export const submit = (
  service: TestService,
  { operation, type }: { readonly operation: string; readonly type: string },
  parameters: object,
  as: Sender = {},
): Promise<TestAnswer> => service.submit(operation, type, parameters, as);

/** Sends a code; returns the code with its id and bundle. */
export async function startedOtp(service: TestService, changes: object = {}, as: Sender = {}) {
  const { otpId, otpEncryptionTargetBundle: bundle } = resultOf(
    await submit(service, initOtp, describedOtp(changes), as),
  );
  return { otpId, bundle, code: lastCode(service) };
}

export const initOtpAuth = {
  operation: 'init_otp_auth',
  type: 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3',
  intent: 'initOtpAuthIntentV3',
  result: 'initOtpAuthResultV2',
} as const;

/** Sends a code that can be exchanged for an API key. */
export async function startedOtpAuth(service: TestService, changes: object = {}, as: Sender = {}) {
  const { otpId } = resultOf(await submit(service, initOtpAuth, describedOtp(changes), as));
  return { otpId, code: lastCode(service) };
}

/** Asserts that a request is refused without a record because a feature is disabled. */
export async function checkSwitchedOff(
  service: TestService,
  wanted: { readonly operation: string; readonly type: string },
  parameters: object,
  text: RegExp,
): Promise<void> {
  const before = await storedCount(service);
  const answer = await submit(service, wanted, parameters);
  assertRefused(answer, 403, 7);
  assert.match(answer.body.message, text);
  assert.deepEqual(await storedCount(service), before);
}

/** Sends an activity of an older version. */
export const submitOlder = (
  service: TestService,
  operation: string,
  type: string,
  parameters: object,
  as: Sender = {},
): Promise<TestAnswer> => service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);

/** Returns a verification token of the first version, optionally bound to a key. */
export async function firstToken(
  service: TestService,
  { publicKey, changes = {}, as = {} }: { publicKey?: string; changes?: object; as?: Sender } = {},
): Promise<string> {
  const init = await submitOlder(service, 'init_otp', 'INIT_OTP', olderOtp(changes), as);
  const { otpId } = resultOf(init);
  const parameters = { otpId, otpCode: lastCode(service), ...(publicKey ? { publicKey } : {}) };
  const verify = await submitOlder(service, 'verify_otp', 'VERIFY_OTP', parameters, as);
  return resultOf(verify).verificationToken;
}

const olderOtp = (changes: object) => ({ otpType: 'OTP_TYPE_EMAIL', contact: alice, ...changes });

/** Seals a code like the public client. */
export const sealedCode = (
  code: string,
  bundle: string,
  key: TestKey = testKey('client'),
): Promise<string> =>
  encryptOtpCodeToBundle(code, bundle, key.publicKey, hex(serviceKeys.publicKey('verifier')));

/** Returns a verification token of the current version, bound to a key. */
export async function verifiedToken(
  service: TestService,
  {
    changes = {},
    key = testKey('client'),
    as = {},
    more = {},
  }: { changes?: object; key?: TestKey; as?: Sender; more?: object } = {},
): Promise<string> {
  const { otpId, bundle, code } = await startedOtp(service, changes, as);
  const encryptedOtpBundle = await sealedCode(code, bundle, key);
  const answer = await submit(service, verifyOtp, { otpId, encryptedOtpBundle, ...more }, as);
  return resultOf(answer).verificationToken;
}

/** Returns the claims of a token without verification. */
// biome-ignore lint/suspicious/noExplicitAny: claims are looked into by name in tests
export function claimsOf(token: string): any {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** Signs the use of a token with the token's key. */
export function usageSignature(
  token: string,
  usage: { readonly type: string; readonly [name: string]: unknown },
  key: TestKey = testKey('client'),
) {
  const message = JSON.stringify({ tokenId: claimsOf(token).id, ...usage });
  const { r, s } = p256.sign(key.privateKey, sha256(utf8(message)));
  return {
    publicKey: key.publicKey,
    scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
    message,
    signature: hex(r) + hex(s),
  };
}

export const loginSignature = (
  token: string,
  publicKey: string,
  key: TestKey = testKey('client'),
) => usageSignature(token, { type: 'USAGE_TYPE_LOGIN', login: { publicKey } }, key);

/** Returns the parameters of a login with a token. The session key defaults to the key of the client. */
export const describedLogin = (token: string, changes: object = {}) => {
  const { publicKey } = testKey('client');
  return {
    verificationToken: token,
    publicKey,
    clientSignature: loginSignature(token, publicKey),
    ...changes,
  };
};
