// One-time codes: creation, reading of typed codes, and the stored form.

import { equalBytes, utf8, wipe } from '../../base/bytes.ts';
import { hmacSha256 } from '../../crypto/hashes.ts';
import { assert } from '../../errors/errors.ts';

export type CodeForm = {
  /** Characters. */
  readonly length: number;
  /** Crockford's base 32; otherwise decimal digits. */
  readonly alphanumeric: boolean;
};

/** A salted digest of a code, which does not reveal the code. */
export type CodeDigest = {
  /** 16 random bytes. */
  readonly salt: Uint8Array;
  /** HMAC-SHA-256 of the normalized code, keyed with the salt: 32 bytes. */
  readonly digest: Uint8Array;
};

export const codeLengths = { minimum: 6, maximum: 9, fallback: 9 } as const;
export const codeRandomBytes = 64;
export const codeSaltBytes = 16;

/** Maximum length of a typed code; longer than any code with separators. */
export const maximumTypedCharacters = 64;

/**
 * Returns a code, uniformly drawn from all codes of the form. Each character takes one of the 64 random
 * bytes, except bytes that would favour some characters: 6 of 256 values for digits. With a probability below
 * 2⁻²⁷⁰ the bytes do not suffice.
 */
export function makeCode(random: Uint8Array, { length, alphanumeric }: CodeForm): string {
  assert(random.length === codeRandomBytes, 'a code is made of 64 random bytes');
  const isLength = length >= codeLengths.minimum && length <= codeLengths.maximum;
  assert(Number.isInteger(length) && isLength, 'a code has 6 to 9 characters');
  const symbols = alphanumeric ? crockford : digits;
  const usable = 256 - (256 % symbols.length);
  let code = '';
  for (const byte of random) {
    if (byte >= usable) continue;
    code += symbols[byte % symbols.length];
    if (code.length === length) return code;
  }
  assert(false, 'the random bytes are random');
}

/**
 * Returns the normal form of a typed code, without spaces and hyphens. Alphanumeric codes become upper case,
 * with `O` read as 0 and `I` and `L` as 1 (Crockford). Returns an empty text if the input is too long for any
 * code.
 */
export function normalizeCode(typed: string, alphanumeric: boolean): string {
  if (typed.length > maximumTypedCharacters) return '';
  const joined = typed.replace(/[\s-]/g, '');
  if (!alphanumeric) return joined;
  // Converts ASCII letters only: `toUpperCase` would also turn some other letters into letters of a code.
  return joined
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}

/** Returns the digest to store for a code. The salt is 16 random bytes. */
export function digestCode(code: string, salt: Uint8Array): CodeDigest {
  assert(salt.length === codeSaltBytes, 'a salt has 16 bytes');
  const bytes = utf8(code);
  try {
    return { salt, digest: hmacSha256(salt, bytes) };
  } finally {
    wipe(bytes);
  }
}

/** Returns true if a normalized code is the stored code, in constant time. */
export function isCode(normalized: string, { salt, digest }: CodeDigest): boolean {
  return equalBytes(digestCode(normalized, salt).digest, digest);
}

const digits = '0123456789';
/** Omits I, L and O, which are read as digits, and U, which could spell words. */
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
