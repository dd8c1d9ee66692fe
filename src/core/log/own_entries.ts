// Entries that the service itself adds to the log. They have no salt, since they hide nothing.

import { bootKind, type SignedStatement } from './boot_entry.ts';
import { commitmentOf } from './entry.ts';
import type { Hash } from './inclusion.ts';

/**
 * Returns the entry that begins a log after a restore. It has no salt, since it hides nothing: it follows
 * from the last checkpoint of the log before.
 */
export function restoreEntry(
  hash: Hash,
  { epoch, before }: { readonly epoch: number; readonly before: string },
): Uint8Array {
  const text = `keywright-log-restore/v1\nepoch ${epoch}\n\n${before}`;
  return commitmentOf(hash, new Uint8Array(0), text);
}

/** Returns the text of the entry of an enclave run. It has no salt: no one can guess the key of a run. */
export function textOfBoot({ statement, publicKey, signature }: SignedStatement): string {
  return `${bootKind}\nattestation ${publicKey}\nsignature ${signature}\n\n${statement}\n`;
}
