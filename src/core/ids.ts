import { hex } from './bytes.ts';

/**
 * Makes UUIDv7 texts (RFC 9562) that always ascend: 48 bits of time, a 12-bit counter within the
 * millisecond, 62 random bits. When the counter runs out, or the clock steps back, the time part
 * runs ahead of the clock instead of repeating.
 */
export function createIdSource(ports: {
  clock: () => number;
  random: (length: number) => Uint8Array;
}): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const now = ports.clock();
    const random = ports.random(10);
    if (now > lastMs) {
      lastMs = now;
      // Half of the range stays free for the ids that follow within the same millisecond.
      counter = (((random[0] ?? 0) << 8) | (random[1] ?? 0)) & 0x7ff;
    } else if (counter === 0xfff) {
      lastMs += 1;
      counter = 0;
    } else counter += 1;
    const time = lastMs.toString(16).padStart(12, '0');
    // The version and the variant take the place of six of the random bits (RFC 9562).
    const tail = hex(random.subarray(2));
    const variant = (((random[2] ?? 0) >> 4) & 0x3) | 0x8;
    const digits = `${time}7${counter.toString(16).padStart(3, '0')}${variant.toString(16)}${tail.slice(1)}`;
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
  };
}
