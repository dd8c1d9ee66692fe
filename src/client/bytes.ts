// Texts of bytes, with nothing but what every engine has.

/** Bytes with a buffer of their own, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The UTF-8 bytes of a text. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Lower-case hexadecimal digits of bytes. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of hexadecimal digits. Raises TypeError for any other text. */
export function bytesOfHex(hex: string): Bytes {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new TypeError('expected hexadecimal digits');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Base64url of bytes, without padding (RFC 4648, section 5). */
export const base64urlOf = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The bytes of base64url or base64. Raises if the text is neither. */
export const bytesOfBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/** The SHA-256 of bytes. */
export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** Several bytes behind each other. */
export const joined = (...parts: readonly Uint8Array[]): Bytes =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
