// Random bytes from the kernel, for everything that must be secret or unique: keys, codes, nonces, ids. A
// generator inside the process (OpenSSL's, or a pool) continues from its memory: both copies of a cloned
// virtual machine would create the same keys, and the same nonces for different records.

import { fstatSync, openSync, readSync } from 'node:fs';
import { secretBytes } from '../core/base/bytes.ts';
import { assert } from '../core/errors/errors.ts';

/** Minimum length of a secret; a shorter value is a nonce or part of an id. */
const leastSecretBytes = 16;

export const kernelRandomDevice = '/dev/urandom';

/**
 * Opens the kernel's random source. The returned function reads that many new bytes in one or two
 * microseconds, without read-ahead. Throws if the path is not a device.
 */
export function openKernelRandom(
  path: string = kernelRandomDevice,
): (lengthBytes: number) => Uint8Array {
  const file = openSync(path, 'r');
  assert(fstatSync(file).isCharacterDevice(), 'the random source is a device');
  // Short values are read here and copied, because a read into a short array would move it out of the heap.
  const scratch = secretBytes(leastSecretBytes);

  function fill(bytes: Uint8Array, lengthBytes: number): void {
    let filled = 0;
    while (filled < lengthBytes) {
      // A signal may interrupt a long read.
      const read = readSync(file, bytes, filled, lengthBytes - filled, null);
      assert(read > 0, 'the random source never ends');
      filled += read;
    }
  }

  return (lengthBytes) => {
    if (lengthBytes >= leastSecretBytes) {
      const bytes = secretBytes(lengthBytes);
      fill(bytes, lengthBytes);
      return bytes;
    }
    fill(scratch, lengthBytes);
    const bytes = scratch.slice(0, lengthBytes);
    scratch.fill(0);
    return bytes;
  };
}
