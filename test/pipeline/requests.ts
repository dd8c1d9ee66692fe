// Requests of pipeline tests: bodies byte by byte, and stamps of every scheme.

import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base64url, concatBytes, hex, utf8 } from '../../src/core/base/bytes.ts';
import type { CredentialType, StampScheme } from '../../src/core/base/enums.ts';
import { stampOf, type TestAnswer, type TestKey, type TestService } from '../support/harness.ts';
import { p256PublicKey, signP256 } from '../support/p256.ts';

export const renameType = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';

/** Returns the envelope of a rename, the smallest activity; `members` replace or add members. */
export function renameEnvelope(service: TestService, members: object = {}) {
  return {
    type: renameType,
    timestampMs: String(service.now()),
    organizationId: service.root.organizationId,
    parameters: { organizationName: 'Renamed' },
    ...members,
  };
}

/** Sends these bytes as a rename, by default with a stamp of the root user. */
export function sendRename(
  service: TestService,
  body: Uint8Array | string | object,
  headers?: readonly { name: string; value: string }[],
): Promise<TestAnswer> {
  const bytes = bytesOf(body);
  const stamped = headers ?? [stampOf(bytes, service.root.key)];
  return service.send('submit', 'update_organization_name', bytes, stamped);
}

/** Returns the current name of the first organization. */
export async function organizationName(service: TestService): Promise<string> {
  return (await service.query('whoami')).body.organizationName;
}

/** Returns the number of activities (at most 100). */
export async function activityCount(service: TestService): Promise<number> {
  const page = { paginationOptions: { limit: '100' } };
  return (await service.query('list_activities', page)).body.activities.length;
}

export function bytesOf(body: Uint8Array | string | object): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return utf8(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Returns the machine code of a refusal. */
export function clientCodeOf(answer: TestAnswer): string {
  return answer.body.turnkeyErrorCode;
}

/** Returns the members that a refusal names. */
export function violatedFields(answer: TestAnswer): string[] {
  const details: { fieldViolations?: { field: string }[] }[] = answer.body.details;
  return details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
}

/** A key of one stamp scheme. */
export type SchemeKey = {
  readonly scheme: StampScheme;
  readonly type: CredentialType;
  /** Hex: compressed point, or 32 bytes. */
  readonly publicKey: string;
  /** DER, or 64 bytes. */
  readonly sign: (body: Uint8Array) => Uint8Array;
};

export function schemeKeys(privateKey: Uint8Array): readonly SchemeKey[] {
  const secp256k1Key = hex(secp256k1.getPublicKey(privateKey, true));
  return [
    {
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      publicKey: hex(p256PublicKey(privateKey)),
      sign: (body) => signP256(body, privateKey),
    },
    {
      scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1',
      type: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
      publicKey: secp256k1Key,
      sign: (body) => secp256k1.sign(body, privateKey, { format: 'der' }),
    },
    {
      scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
      type: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
      publicKey: secp256k1Key,
      sign: (body) =>
        secp256k1.sign(personalMessageHash(body), privateKey, { format: 'der', prehash: false }),
    },
    {
      scheme: 'SIGNATURE_SCHEME_TK_API_ED25519',
      type: 'CREDENTIAL_TYPE_API_KEY_ED25519',
      publicKey: hex(ed25519.getPublicKey(privateKey)),
      sign: (body) => ed25519.sign(body, privateKey),
    },
  ];
}

/** Returns the X-Stamp header of a key; `members` replace or add members. */
export function schemeStamp(body: Uint8Array, key: SchemeKey, members: object = {}) {
  return stampHeader({
    publicKey: key.publicKey,
    scheme: key.scheme,
    signature: hex(key.sign(body)),
    ...members,
  });
}

export function stampHeader(stamp: object | string): { name: string; value: string } {
  const text = typeof stamp === 'string' ? stamp : JSON.stringify(stamp);
  return { name: 'x-stamp', value: base64url(utf8(text)) };
}

/** Returns r and s of a P-256 signature. */
export function p256Signature(body: Uint8Array, key: TestKey): { r: bigint; s: bigint } {
  const { r, s } = p256.Signature.fromBytes(p256.sign(body, key.privateKey, { lowS: true }));
  return { r, s };
}

export const p256Order = p256.Point.Fn.ORDER;

/** Returns the DER of two integers, each with this number of superfluous zero bytes. */
export function der(r: bigint, s: bigint, superfluousZeros = 0): Uint8Array {
  const content = concatBytes(...[r, s].map((value) => derInteger(value, superfluousZeros)));
  return concatBytes(Uint8Array.of(0x30, content.length), content);
}

function derInteger(value: bigint, superfluousZeros: number): Uint8Array {
  const digits = value.toString(16);
  const bytes = Uint8Array.fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  const needed = (bytes[0] ?? 0) >= 0x80 ? 1 : 0;
  const padded = concatBytes(new Uint8Array(needed + superfluousZeros), bytes);
  return concatBytes(Uint8Array.of(0x02, padded.length), padded);
}

/** EIP-191, version 0x45. */
function personalMessageHash(body: Uint8Array): Uint8Array {
  const prefix = utf8(`\u0019Ethereum Signed Message:\n${body.length}`);
  return keccak_256(concatBytes(prefix, body));
}
