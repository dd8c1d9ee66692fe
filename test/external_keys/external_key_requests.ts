// Requests about external keys, for several tests.

import assert from 'node:assert/strict';
import type { CurveName } from '../../src/core/base/enums.ts';
import type { TestAnswer, TestService } from '../support/harness.ts';

type As = Parameters<TestService['submit']>[3];

export const formatsOf: Readonly<Record<CurveName, readonly string[]>> = {
  CURVE_SECP256K1: ['ADDRESS_FORMAT_ETHEREUM'],
  CURVE_P256: ['ADDRESS_FORMAT_COMPRESSED'],
  CURVE_ED25519: ['ADDRESS_FORMAT_SOLANA'],
};

type AskedKey = {
  readonly curve: CurveName;
  readonly publicKey: string;
  readonly addressFormats?: readonly string[];
};

/** Requests the registration of a key. */
export function register(
  service: TestService,
  { curve, publicKey, addressFormats = formatsOf[curve] }: AskedKey,
  as: As = {},
): Promise<TestAnswer> {
  const key = {
    privateKeyName: `External ${curve}`,
    curve,
    privateKeyTags: [],
    addressFormats,
    externalSignerPubkey: publicKey,
  };
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2';
  return service.submit('create_private_keys', type, { privateKeys: [key] }, as);
}

/** Registers a key. Returns its id. */
export async function registered(
  service: TestService,
  key: AskedKey,
  as: As = {},
): Promise<string> {
  const { status, body } = await register(service, key, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createPrivateKeysResultV2.privateKeys[0].privateKeyId;
}

/** Requests a signature over a payload in hex, without hashing it. */
export function signPayload(
  service: TestService,
  signWith: string,
  { payload = '5a'.repeat(32), curve = 'CURVE_SECP256K1', ...more }: SignedPayload = {},
  as: As = {},
): Promise<TestAnswer> {
  const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
  const parameters = { signWith, payload, ...payloadForm(curve), ...more };
  return service.submit('sign_raw_payload', type, parameters, as);
}

type SignedPayload = {
  readonly payload?: string;
  readonly curve?: CurveName;
  readonly externalSignerPubkey?: string;
};

export const payloadForm = (curve: CurveName) => ({
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_NO_OP',
});

export const signatureIn = ({ body }: TestAnswer): { r: string; s: string; v: string } =>
  body.activity.result.signRawPayloadResult;
