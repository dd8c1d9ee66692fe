// Verifies stamps by an independent implementation: the rules of the header, lenient DER, and signatures
// checked by noble-curves with either half of s.

import { isUtf8 } from 'node:buffer';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8 } from '../../src/core/base/bytes.ts';

export type SentHeader = { readonly name: string; readonly value: string };

/** The public key (lower-case hex) and scheme of the only stamp that covers the body. */
export type Proof = { readonly publicKey: string; readonly scheme: string };

type Verify = (signature: Buffer, body: Uint8Array, publicKey: Buffer) => boolean;

const schemes: ReadonlyMap<string, { readonly keyBytes: number; readonly verify: Verify }> =
  new Map([
    ['SIGNATURE_SCHEME_TK_API_P256', { keyBytes: 33, verify: ecdsa(p256, sha256) }],
    ['SIGNATURE_SCHEME_TK_API_SECP256K1', { keyBytes: 33, verify: ecdsa(secp256k1, sha256) }],
    [
      'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
      { keyBytes: 33, verify: ecdsa(secp256k1, personalMessage) },
    ],
    [
      'SIGNATURE_SCHEME_TK_API_ED25519',
      {
        keyBytes: 32,
        verify: (signature, body, publicKey) =>
          signature.length === 64 && ed25519.verify(signature, body, publicKey, { zip215: false }),
      },
    ],
  ]);

/** Returns the proof that the headers contain about the body, or undefined. */
export function proofOf(headers: readonly SentHeader[], body: Uint8Array): Proof | undefined {
  const stamps = headers.filter(({ name }) => /^x-stamp(-webauthn|-attested)?$/.test(name));
  const [only] = stamps;
  if (stamps.length !== 1 || only?.name !== 'x-stamp') return undefined;
  const { publicKey, scheme, signature } = membersOf(only.value);
  const rule = schemes.get(String(scheme));
  const isHex = (text: unknown): text is string =>
    typeof text === 'string' && /^(?:[0-9a-f]{2})*$/i.test(text);
  if (typeof scheme !== 'string' || rule === undefined) return undefined;
  if (!isHex(publicKey) || !isHex(signature)) return undefined;
  const key = Buffer.from(publicKey, 'hex');
  if (key.length !== rule.keyBytes) return undefined;
  return quietly(() => rule.verify(Buffer.from(signature, 'hex'), body, key))
    ? { publicKey: publicKey.toLowerCase(), scheme }
    : undefined;
}

/** Returns members of the JSON object in a header, or no members without an object. */
function membersOf(value: string): Readonly<Record<string, unknown>> {
  const [, digits] = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(value) ?? [];
  if (digits === undefined || digits.length % 4 === 1 || value.length > 4096) return {};
  const bytes = Buffer.from(digits, 'base64');
  if (!isUtf8(bytes)) return {};
  try {
    const text = bytes.toString();
    // Each written name must give its own member; the parser keeps only the last of two equal names.
    let members = -1;
    const parsed: unknown = JSON.parse(text, function (this: unknown, _name, value: unknown) {
      if (!Array.isArray(this)) members += 1;
      return value;
    });
    if (typeof parsed !== 'object' || parsed === null) return {};
    const written = text.match(/"(?:[^"\\]|\\.)*"\s*:/g) ?? [];
    return written.length === members ? { ...parsed } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function ecdsa(curve: typeof p256, hash: (body: Uint8Array) => Uint8Array): Verify {
  return (signature, body, publicKey) => {
    const numbers = lenientDer(signature);
    if (numbers === undefined) return false;
    const order = curve.Point.Fn.ORDER;
    const [r, s] = numbers;
    if (r <= 0n || r >= order || s <= 0n || s >= order) return false;
    const compact = new curve.Signature(r, s).toBytes('compact');
    return curve.verify(compact, hash(body), publicKey, { lowS: false, prehash: false });
  };
}

/** Parses r and s of `30 len 02 len r 02 len s`, with short lengths and any number of leading zeros. */
function lenientDer(signature: Buffer): readonly [bigint, bigint] | undefined {
  const text = signature.toString('hex');
  const [, total, rest = ''] = /^30([0-7].)(.*)$/.exec(text) ?? [];
  if (total === undefined || rest.length !== 2 * Number.parseInt(total, 16)) return undefined;
  const numbers: bigint[] = [];
  let left = rest;
  while (left !== '') {
    const [, length, tail = ''] = /^02([0-7].)(.*)$/.exec(left) ?? [];
    if (length === undefined) return undefined;
    const digits = tail.slice(0, 2 * Number.parseInt(length, 16));
    if (digits.length !== 2 * Number.parseInt(length, 16) || !/^[0-7]/.test(digits)) {
      return undefined;
    }
    numbers.push(BigInt(`0x${digits}`));
    left = tail.slice(digits.length);
  }
  const [r, s, ...more] = numbers;
  return r === undefined || s === undefined || more.length > 0 ? undefined : [r, s];
}

function personalMessage(body: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(utf8(`\x19Ethereum Signed Message:\n${body.length}`), body));
}

/** noble-curves throws for invalid points, which also means no proof. */
function quietly(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    // An error also means that the stamp is not verified.
    return false;
  }
}
