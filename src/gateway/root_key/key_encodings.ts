// Encodings of 32 bytes in a command's output. Text may end with one line end (LF or CR LF); other characters
// are invalid. Digits are read from bytes, because a string would stay in memory.

import { copyOfSecret, secretBytes, utf8, wipe } from '../../core/base/bytes.ts';
import { withoutLineEnd } from '../../core/base/line_end.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';

const keyEncodings = ['raw', 'hex', 'base64'] as const;
export type KeyEncoding = (typeof keyEncodings)[number];

const padding = 0x3d;

type Row = {
  /** Length of the longest valid output. */
  readonly maximumBytes: number;
  readonly decode: (output: Uint8Array) => Uint8Array | undefined;
};

const rows: Readonly<Record<KeyEncoding, Row>> = {
  raw: { maximumBytes: rootKeyLengthBytes, decode: copyOfSecret },
  hex: {
    maximumBytes: 66,
    decode: (output) => decodeDigits(withoutLineEnd(output), hexDigitOf, 4),
  },
  base64: {
    maximumBytes: 46,
    decode: (output) => {
      const line = withoutLineEnd(output);
      // 32 bytes are 43 digits and one character of padding.
      return line.at(-1) === padding
        ? decodeDigits(line.subarray(0, -1), base64DigitOf, 6)
        : undefined;
    },
  },
};

/** Returns the number of output bytes needed to recognize a key. */
export function outputBytesOf(encoding: KeyEncoding): number {
  return rows[encoding].maximumBytes + 1;
}

/** Returns the 32 bytes of an output, the caller's to wipe; undefined for invalid output. */
export function decodeKey(output: Uint8Array, encoding: KeyEncoding): Uint8Array | undefined {
  const { maximumBytes, decode } = rows[encoding];
  const key = output.length > maximumBytes ? undefined : decode(output);
  if (key?.length === rootKeyLengthBytes) return key;
  wipe(key);
  return undefined;
}

const hexDigits = utf8('0123456789abcdef');
const base64Digits = utf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const asciiCase = 0x20;

const hexDigitOf = (byte: number): number =>
  Math.max(hexDigits.indexOf(byte), hexDigits.indexOf(byte >= 0x41 ? byte | asciiCase : byte));
const base64DigitOf = (byte: number): number => base64Digits.indexOf(byte);

/** Decodes digits, most significant bits first; undefined for an invalid digit or remaining bits. */
function decodeDigits(
  digits: Uint8Array,
  digitOf: (byte: number) => number,
  bitsPerDigit: number,
): Uint8Array | undefined {
  const bytes = secretBytes(Math.floor((digits.length * bitsPerDigit) / 8));
  let held = 0;
  let heldBits = 0;
  let length = 0;
  for (const byte of digits) {
    const digit = digitOf(byte);
    if (digit < 0) {
      wipe(bytes);
      return undefined;
    }
    held = (held << bitsPerDigit) | digit;
    heldBits += bitsPerDigit;
    if (heldBits >= 8) {
      heldBits -= 8;
      bytes[length] = held >> heldBits;
      length += 1;
      held &= (1 << heldBits) - 1;
    }
  }
  if (held === 0 && heldBits < bitsPerDigit) return bytes;
  wipe(bytes);
  return undefined;
}
