// Bytes and their text forms. Inside the service a value is a `Uint8Array`; hex and base64url
// exist only at the edge.

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of UTF-8 bytes, or undefined where the bytes are not well-formed UTF-8. */
export function textOfUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    // The decoder has one way to fail, and the caller decides what that means.
    return undefined;
  }
}

/** Lower-case hex, no `0x`. */
export function hex(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Bytes of an even number of hex digits in any case, no `0x`; undefined for anything else. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  if (text.length <= shortHexDigits) return bytesOfShortHex(text);
  try {
    return Uint8Array.fromHex(text);
  } catch {
    // The decoder fails only for an odd length or a character that is no hex digit.
    return undefined;
  }
}

/** Digits up to which a loop takes less time than the decoder of the engine. */
const shortHexDigits = 256;

function bytesOfShortHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  let all = 0;
  for (let i = 0; i < text.length; i += 2) {
    // A character above 255 has no entry.
    const high = hexDigits[text.charCodeAt(i)] ?? noDigit;
    const low = hexDigits[text.charCodeAt(i + 1)] ?? noDigit;
    all |= high | low;
    bytes[i >> 1] = (high << 4) | low;
  }
  return all < noDigit ? bytes : undefined;
}

/** Marks a character that is no hex digit, by a bit that no digit has. */
const noDigit = 16;
const hexDigits = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? noDigit : digit;
});

/** base64url (RFC 4648 section 5) without padding. */
export function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** The one form that base64url has here, of any that `bytesOfBase64url` reads; other text stays. */
export function canonicalBase64url(text: string): string {
  const bytes = bytesOfBase64url(text);
  return bytes === undefined ? text : base64url(bytes);
}

/** Bytes of base64url or base64, padded or not; undefined for anything else. */
export function bytesOfBase64url(text: string): Uint8Array | undefined {
  const unpadded = isBase64url.test(text)
    ? text
    : text
        .replace(/={1,2}$/, '')
        .replaceAll('+', '-')
        .replaceAll('/', '_');
  if (!isBase64url.test(unpadded)) return undefined;
  try {
    return Uint8Array.fromBase64(unpadded, { alphabet: 'base64url' });
  } catch {
    // A length no base64 text can have (one character past a group of four).
    return undefined;
  }
}

const isBase64url = /^[A-Za-z0-9_-]*$/;

/** One array holding all parts in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return joinedIn(new Uint8Array(lengthOfAll(parts)), parts);
}

/** The same for parts that are secret; see `secretBytes`. */
export function concatSecrets(...parts: readonly Uint8Array[]): Uint8Array {
  return joinedIn(secretBytes(lengthOfAll(parts)), parts);
}

/** A copy of a secret, the caller's to wipe; see `secretBytes`. */
export function copyOfSecret(secret: Uint8Array): Uint8Array {
  return joinedIn(secretBytes(secret.length), [secret]);
}

/**
 * Zeros to write a secret into. Arrays of up to 64 bytes lie inside the heap of JavaScript otherwise:
 * native code that reads one, and the garbage collector, leave a copy there that nothing wipes.
 */
export function secretBytes(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length));
}

function lengthOfAll(parts: readonly Uint8Array[]): number {
  return parts.reduce((length, part) => length + part.length, 0);
}

function joinedIn(joined: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Returns true if two arrays hold the same bytes; takes the same time wherever they differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

/** Overwrites secrets that are no longer needed. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
}
