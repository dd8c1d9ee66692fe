import { secretBytes } from '../../core/base/bytes.ts';

/** Bytes drawn from the source at a time. */
const poolBytes = 8192;
/** What is shorter is a nonce or part of an id, and no secret. */
const leastSecretBytes = 16;

/**
 * Hands out random bytes from a pool that is filled at once: nonces and ids are small, and asking
 * the source for a few bytes costs as much as for thousands. What was handed out is overwritten in
 * the pool, so that nothing stays there that may become a key.
 */
export function createRandomPool(
  fill: (bytes: Uint8Array) => void,
): (length: number) => Uint8Array {
  const pool = new Uint8Array(poolBytes);
  let offset = poolBytes;
  return (length) => {
    const taken = length < leastSecretBytes ? new Uint8Array(length) : secretBytes(length);
    if (length > poolBytes) {
      fill(taken);
      return taken;
    }
    if (offset + length > poolBytes) {
      fill(pool);
      offset = 0;
    }
    taken.set(pool.subarray(offset, offset + length));
    pool.fill(0, offset, offset + length);
    offset += length;
    return taken;
  };
}
