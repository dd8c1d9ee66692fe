// Entries that the service itself adds to the log. They have no salt, because they contain nothing secret.

import { bootKind, type SignedStatement } from './boot_entry.ts';
import { commitmentOf } from './entry.ts';
import type { Hash } from './inclusion.ts';

/** Returns the first entry of a log after a restore. It commits to the last checkpoint of the log before. */
export function restoreEntry(
  hash: Hash,
  { epoch, before }: { readonly epoch: number; readonly before: string },
): Uint8Array {
  const text = `keywright-log-restore/v1\nepoch ${epoch}\n\n${before}`;
  return commitmentOf(hash, new Uint8Array(0), text);
}

/** Returns the text of the entry of an enclave run. */
export function textOfBoot({ statement, publicKey, signature }: SignedStatement): string {
  return `${bootKind}\nattestation ${publicKey}\nsignature ${signature}\n\n${statement}\n`;
}

/** Returns the extension line of a tree that a run signs: the run appended the entries from this index on. */
export const textOfBatch = (from: number): string => `from ${from}\n`;
