// Faults that no test can or need notice, each with its reason. They are found by the text of their line,
// not by its number.

import type { Mutant } from './mutants.ts';

export type Explained = Pick<Mutant, 'file' | 'lineText' | 'fault'> & { readonly reason: string };

export const explained: readonly Explained[] = [
  {
    file: 'src/core/policy/language/comparison.ts',
    lineText: "if (typeof a === 'bigint' && typeof b === 'bigint') return holds(a, b);",
    fault: 'the condition never holds',
    reason:
      'two numbers are then compared as ranges of one number each, which gives the same answer',
  },
  {
    file: 'src/core/policy/decision/decision.ts',
    lineText: 'if (!policies.some(({ time }) => time !== undefined)) return partialVerdicts;',
    fault: 'the condition never holds',
    reason: 'each verdict of a policy without a time is then returned as it is, which takes longer',
  },
];

/** Why nobody need notice a fault; undefined where somebody must. */
export function explanationOf({ file, lineText, fault }: Mutant): string | undefined {
  return explained.find(
    (row) => row.file === file && row.lineText === lineText && row.fault === fault,
  )?.reason;
}
