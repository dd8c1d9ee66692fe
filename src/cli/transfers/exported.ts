// Protects keys that were never exported from deletion.

import { quoted } from '../files/files.ts';
import { visible } from '../output/output.ts';
import { Failure } from '../words/failures.ts';
import { flag } from '../words/options.ts';

/** The option that permits the loss of a key. */
export const withoutExportOption = flag(
  'Deletes it even if it was never exported; its funds are then lost.',
);

/** Throws `refused` for a key that was never exported, unless a flag permits its loss. */
export function requireExported(
  kind: 'wallet' | 'key',
  { name, exported }: { readonly name: string; readonly exported: boolean },
  withoutExport: boolean,
): void {
  if (exported || withoutExport) return;
  const word = visible(quoted(name));
  throw new Failure({
    exit: 'refused',
    code: 'not_exported',
    message: `${visible(name)} was never exported. After a deletion, everything that its addresses hold is lost.`,
    next: `keywright export ${kind} ${word} --to FILE first, or give --without-export to delete it without a copy.`,
  });
}
