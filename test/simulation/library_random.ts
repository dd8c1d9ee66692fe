// Randomness of libraries that accept no source of random bytes. The secret sharing library calls
// `randomBytes` of Node.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Runs work while `randomBytes` returns these bytes in the whole process. */
export async function withLibraryRandom<Result>(
  random: (length: number) => Uint8Array,
  work: () => Promise<Result>,
): Promise<Result> {
  const { randomBytes } = crypto;
  const replace = (replacement: unknown): void => {
    Object.assign(crypto, { randomBytes: replacement });
    syncBuiltinESMExports();
  };
  replace((length: number) => Buffer.from(Uint8Array.from(random(length)).buffer));
  try {
    return await work();
  } finally {
    replace(randomBytes);
  }
}
