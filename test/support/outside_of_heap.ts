// Detects whether arrays are allocated inside or outside of the JavaScript heap.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const count = 10_000;

/** Returns true if the arrays of `make` (at least 32 bytes each) are allocated outside of the heap. */
export function outsideOfHeap(make: () => Uint8Array): boolean {
  const before = bytesOutside();
  const made = Array.from({ length: count }, make);
  const after = bytesOutside();
  return made.length === count && after - before > (count * 32) / 2;
}

function bytesOutside(): number {
  // The second collection frees memory that the first one released.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
