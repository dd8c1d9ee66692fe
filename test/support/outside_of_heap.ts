// Where arrays are kept: small ones inside the heap of JavaScript, unless they are made outside of it.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const count = 10_000;

/** True if what is made, 32 bytes at least each time, lies in memory that is counted by itself. */
export function outsideOfHeap(make: () => Uint8Array): boolean {
  const before = bytesOutside();
  const made = Array.from({ length: count }, make);
  const after = bytesOutside();
  return made.length === count && after - before > (count * 32) / 2;
}

function bytesOutside(): number {
  // Memory that the first one finds is given back by the time of the second.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
