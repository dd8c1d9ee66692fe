// Lines of an export: one JSON object per line, as bytes. Secrets stay bytes and never become strings, so
// that they can be wiped.

import { concatSecrets, secretBytes, utf8, wipe } from '../core/base/bytes.ts';

/** Secret members of a line, as UTF-8 text. */
type SecretMembers = Readonly<Record<string, Uint8Array>>;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const hexDigits = utf8('0123456789abcdef');

/**
 * Returns one line with its line feed. The caller wipes the secrets, and the line if it has secret members.
 */
export function lineOf(kind: string, members: object, secrets: SecretMembers = {}): Uint8Array {
  const open = utf8(JSON.stringify({ kind, ...members }).slice(0, -1));
  const parts = Object.entries(secrets).flatMap(([name, text]) => [
    utf8(`,${JSON.stringify(name)}:"`),
    escaped(text),
    Uint8Array.of(quote),
  ]);
  const line = concatSecrets(open, ...parts, utf8('}\n'));
  wipe(...parts);
  return line;
}

/** Encodes bytes as lower-case ASCII hex. */
export function hexOf(bytes: Uint8Array): Uint8Array {
  const digits = secretBytes(bytes.length * 2);
  for (const [at, byte] of bytes.entries()) {
    digits[2 * at] = Number(hexDigits[byte >> 4]);
    digits[2 * at + 1] = Number(hexDigits[byte & 15]);
  }
  return digits;
}

/** Escapes UTF-8 text for a JSON string, without the quotes. */
function escaped(text: Uint8Array): Uint8Array {
  const longest = secretBytes(text.length * 6);
  let end = 0;
  for (const byte of text) {
    if (byte < space) {
      longest.set(utf8('\\u00'), end);
      longest[end + 4] = Number(hexDigits[byte >> 4]);
      longest[end + 5] = Number(hexDigits[byte & 15]);
      end += 6;
      continue;
    }
    if (byte === quote || byte === backslash) longest[end++] = backslash;
    longest[end++] = byte;
  }
  const exact = secretBytes(end);
  exact.set(longest.subarray(0, end));
  wipe(longest);
  return exact;
}
