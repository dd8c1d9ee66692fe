import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { openKernelRandom } from '../../src/system/kernel_random.ts';
import { outsideOfHeap } from '../support/outside_of_heap.ts';

test('kernelRandom returns new bytes of the requested lengths', () => {
  const random = openKernelRandom();
  for (const length of [0, 1, 12, 32, 100_000]) {
    const [one, other] = [random(length), random(length)];
    assert.equal(one.length, length);
    if (length > 8) assert.notDeepEqual(one, other);
  }
});

test('reads from the kernel at each use, and no more than was asked for', () => {
  // A cloned process must not repeat random bytes, so none may be buffered in the memory of the process.
  const reads: number[] = [];
  const { readSync } = fs;
  const patched = mock.method(fs, 'readSync', ((...input: Parameters<typeof readSync>) => {
    const read = Reflect.apply(readSync, fs, input);
    reads.push(read);
    return read;
  }) as typeof readSync);
  syncBuiltinESMExports();
  try {
    const random = openKernelRandom();
    for (const length of [12, 10, 32, 12]) random(length);
    assert.deepEqual(reads, [12, 10, 32, 12]);
  } finally {
    patched.mock.restore();
    syncBuiltinESMExports();
  }
});

test('a short read is continued', () => {
  const { readSync } = fs;
  const patched = mock.method(fs, 'readSync', ((file, buffer, offset, length, position) =>
    Reflect.apply(readSync, fs, [
      file,
      buffer,
      offset,
      Math.min(Number(length), 7),
      position,
    ])) as typeof readSync);
  syncBuiltinESMExports();
  try {
    const bytes = openKernelRandom()(700);
    for (let i = 0; i < 700; i += 70) {
      assert(
        bytes.subarray(i, i + 70).some((byte) => byte !== 0),
        `from ${i}`,
      );
    }
  } finally {
    patched.mock.restore();
    syncBuiltinESMExports();
  }
});

test('a file in the place of the device is refused', () => {
  assert.throws(() => openKernelRandom(import.meta.filename), /the random source is a device/);
});

test('bytes that may become a key lie outside of the heap of JavaScript', () => {
  const random = openKernelRandom();
  assert(outsideOfHeap(() => random(32)));
});
