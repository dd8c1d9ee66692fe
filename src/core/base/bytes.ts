// Bytes and their text forms. The service works with `Uint8Array`; hex and base64url exist only at its
// boundary.

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8; undefined for malformed bytes. */
export function textOfUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    // The decoder throws for malformed bytes only.
    return undefined;
  }
}

/** Lower-case hex, no `0x`. */
export function hex(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Decodes an even number of hex digits in any case, without `0x`; undefined for other text. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  if (text.length <= shortHexDigits) return bytesOfShortHex(text);
  try {
    return Uint8Array.fromHex(text);
  } catch {
    // The decoder fails only for an odd length or a character that is no hex digit.
    return undefined;
  }
}

/** Maximum number of digits for which a loop is faster than the engine's decoder. */
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

/** Marks a character that is not a hex digit; no digit has this bit. */
const noDigit = 16;
const hexDigits = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? noDigit : digit;
});

/** base64url (RFC 4648 section 5) without padding. */
export function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Returns the base64url of text that `bytesOfBase64url` accepts; returns other text unchanged. */
export function canonicalBase64url(text: string): string {
  const bytes = bytesOfBase64url(text);
  return bytes === undefined ? text : base64url(bytes);
}

/** Decodes base64url or base64, padded or not; undefined for other text. */
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
    // One character more than a multiple of four is no base64.
    return undefined;
  }
}

const isBase64url = /^[A-Za-z0-9_-]*$/;

/** Joins the parts. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return joinedIn(new Uint8Array(lengthOfAll(parts)), parts);
}

/** Joins secret parts; see `secretBytes`. */
export function concatSecrets(...parts: readonly Uint8Array[]): Uint8Array {
  return joinedIn(secretBytes(lengthOfAll(parts)), parts);
}

/** Returns a copy of a secret, which the caller wipes; see `secretBytes`. */
export function copyOfSecret(secret: Uint8Array): Uint8Array {
  return joinedIn(secretBytes(secret.length), [secret]);
}

/**
 * Returns zeroed memory for a secret, outside the JavaScript heap. Typed arrays of up to 64 bytes otherwise
 * lie inside it, where the garbage collector and native code leave copies that cannot be wiped.
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

/** Compares two arrays. The time depends only on their lengths. */
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
