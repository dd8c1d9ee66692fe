// Protects keys that were never exported from deletion.

import { quoted } from '../files/files.ts';
import { visible } from '../output/output.ts';
import { Failure } from '../words/failures.ts';

/** The option that says that what is deleted may be lost for good. */
export const withoutExportOption = {
  kind: 'switch',
  summary: 'Deletes it even if it was never exported: what it holds is then lost.',
} as const;

/** Refuses to delete a key that was never exported, unless a flag says so. Raises `refused`. */
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
    message: `${visible(name)} was never exported: once it is deleted, what its addresses hold is lost.`,
    next: `keywright export ${kind} ${word} --to FILE first, or give --without-export to lose it.`,
  });
}
