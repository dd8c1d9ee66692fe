// Faults that no test can or need notice, each with its reason. They are found by the text of their line,
// not by its number.

import type { Mutant } from './mutants.ts';

export type Explained = Pick<Mutant, 'file' | 'lineText' | 'fault'> & { readonly reason: string };

export const explained: readonly Explained[] = [];

/** Why nobody need notice a fault; undefined where somebody must. */
export function explanationOf({ file, lineText, fault }: Mutant): string | undefined {
  return explained.find(
    (row) => row.file === file && row.lineText === lineText && row.fault === fault,
  )?.reason;
}
