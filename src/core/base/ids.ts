import { hex } from './bytes.ts';

/** Returns the least ID of a millisecond since 1970; all earlier IDs sort before it. */
export function firstIdAt(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** Returns a UUIDv8 (RFC 9562) of a digest's first 16 bytes. It never equals an ID of `createIdSource`. */
export function uuidOfDigest(digest: Uint8Array): string {
  const digits = hex(digest.subarray(0, 16));
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** Returns true if an ID has the form of `uuidOfDigest`. */
export function isIdOfDigest(id: string): boolean {
  return id.charAt(14) === '8';
}

/**
 * Creates ascending UUIDv7 texts (RFC 9562): 48 bits of time, a 12-bit counter within the millisecond, 62
 * random bits. If the counter overflows or the clock steps back, the time part runs ahead of the clock.
 */
export function createIdSource(ports: {
  clock: () => number;
  random: (length: number) => Uint8Array;
}): () => string {
  let lastMs = 0;
  let counter = 0;
  /** Reusable buffer with the bytes of the last ID. */
  const id = new Uint8Array(16);
  return () => {
    const now = ports.clock();
    const random = ports.random(10);
    if (now > lastMs) {
      lastMs = now;
      // Leaves at least half of the counter's range for later IDs of the same millisecond.
      counter = (((random[0] ?? 0) << 8) | (random[1] ?? 0)) & 0x7ff;
    } else if (counter === 0xfff) {
      lastMs += 1;
      counter = 0;
    } else counter += 1;
    for (let i = 8; i < 16; i += 1) id[i] = random[i - 6] ?? 0;
    // Bit operations of numbers handle 32 bits, not 48.
    const upper = Math.floor(lastMs / 0x1_0000);
    id[0] = upper >> 24;
    id[1] = upper >> 16;
    id[2] = upper >> 8;
    id[3] = upper;
    id[4] = lastMs >> 8;
    id[5] = lastMs;
    // The version and the variant replace six of the random bits (RFC 9562).
    id[6] = 0x70 | (counter >> 8);
    id[7] = counter;
    id[8] = 0x80 | ((id[8] ?? 0) & 0x3f);
    return uuidText(id);
  };
}

const digitCodes = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** Reusable buffer with the characters of a UUID. The hyphens are fixed. */
const characters = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');

/** Returns a flat string. A concatenated string slows down all JSON that contains it. */
function uuidText(bytes: Uint8Array): string {
  let at = 0;
  for (const byte of bytes) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at += 1;
    characters[at] = digitCodes[byte >> 4] ?? 0;
    characters[at + 1] = digitCodes[byte & 15] ?? 0;
    at += 2;
  }
  return characters.toString('latin1');
}
