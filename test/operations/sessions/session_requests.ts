// Requests about sessions, and readers of their tokens.

import assert from 'node:assert/strict';
import type { SessionClaims } from '../../../src/core/auth/tokens/session_token.ts';
import { hex, textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createServiceKeys } from '../../../src/enclave/keys/service_keys.ts';
import { readSessionToken } from '../../core/auth/tokens/read_session_token.ts';
import {
  type Sender,
  seededRandom,
  type TestAnswer,
  type TestKey,
  type TestService,
  testKey,
  testRootKey,
} from '../../support/harness.ts';

/** Returns the keys that every test service signs its tokens with. */
export const testServiceKeys = () =>
  createServiceKeys(createRootKeys(testRootKey()), seededRandom('service keys'));

/** Returns the result of an activity that must complete. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export function resultOf({ status, body }: TestAnswer): any {
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const [result] = Object.values(body.activity.result);
  return result;
}

/** Starts a session for the key of a name. */
export const logIn = (
  service: TestService,
  name: string,
  parameters: object = {},
  as: Sender = {},
) =>
  service.submit(
    'stamp_login',
    'ACTIVITY_TYPE_STAMP_LOGIN',
    { publicKey: testKey(name).publicKey, ...parameters },
    as,
  );

/** Verifies the signature of a session token; returns its content. */
export function claimsOf(token: string, service: TestService): SessionClaims {
  const publicKey = testServiceKeys().publicKey('notarizer');
  const { claims, refusal } = readSessionToken(token, { publicKey, now: service.now() });
  assert.equal(refusal, undefined);
  assert.ok(claims !== undefined);
  return claims;
}

/** Creates a session profile; returns its id. */
export async function makeProfile(
  service: TestService,
  sessionProfileName: string,
  scope: string,
  changes: object = {},
): Promise<string> {
  const answer = await service.submit(
    'create_session_profile',
    'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
    { sessionProfileName, scope, ...changes },
  );
  return resultOf(answer).sessionProfileId;
}

/** Returns a read-only session of the sender. */
export async function readOnlySession(service: TestService, as: Sender = {}): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
  return resultOf(await service.submit('create_read_only_session', type, {}, as)).session;
}

/** Returns the header of a read-only session. */
export const sessionHeader = (value: string) => ({ name: 'x-session', value });

/** Returns the key pair of a private key. */
export function keyOf(privateKey: Uint8Array): TestKey {
  return { privateKey, publicKey: hex(p256.publicKeyOf(privateKey)) };
}

/** Returns the payload of a token, the part between its dots, as text. */
export const payloadOf = (token: string): string =>
  textOfUtf8(Uint8Array.from(Buffer.from(token.split('.')[1] ?? '', 'base64url'))) ?? '';
