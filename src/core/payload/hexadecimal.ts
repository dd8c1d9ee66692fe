import { bytesOfHex } from '../base/bytes.ts';
import { kindOf, refusePayload } from './refusal.ts';

/** Parses an even number of hex digits in any case, with or without `0x`; may be empty. */
export function readHexadecimal(text: string, path: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const bytes = bytesOfHex(digits);
  if (bytes !== undefined) return bytes;
  refusePayload(
    path,
    digits.length % 2 === 0
      ? 'expected hexadecimal digits'
      : `expected an even number of hexadecimal digits, got ${digits.length}`,
  );
}

/**
 * Parses a JSON string `0x…` in any case, of exactly `size` bytes if given. The prefix is required, as in the
 * libraries that write such JSON: without it, `12` reads as a number.
 */
export function readPrefixedHexadecimal(value: unknown, size: number | undefined, path: string) {
  if (typeof value !== 'string') {
    refusePayload(path, `expected a string of hexadecimal digits, got ${kindOf(value)}`);
  }
  if (!value.startsWith('0x')) refusePayload(path, 'expected hexadecimal digits after `0x`');
  const bytes = readHexadecimal(value, path);
  if (size !== undefined && bytes.length !== size) {
    refusePayload(path, `expected ${size} bytes, got ${bytes.length}`);
  }
  return bytes;
}
