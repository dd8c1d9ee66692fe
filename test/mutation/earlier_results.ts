// The results of an earlier run, from the lines that --json wrote.

import { readFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';

export type Outcome = 'killed' | 'timed out' | 'survived' | 'explained';

/** A result. The fault is identified by the text of its line, which later edits of other lines keep. */
export type EarlierResult = Pick<Mutant, 'file' | 'lineText' | 'fault'> & {
  readonly outcome: Outcome;
  readonly by: string;
};

type Named = Pick<Mutant, 'file' | 'lineText' | 'fault'>;

const nameOf = ({ file, lineText, fault }: Named) => `${file}/${lineText}/${fault}`;

/** Reads the results in a file. Skips lines that are not whole, since a run may have been interrupted. */
export function readEarlierResults(path: string): readonly EarlierResult[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line): EarlierResult => JSON.parse(line));
}

/** Returns a function that returns true for the faults that survived. */
export function survivedIn(earlier: readonly EarlierResult[]): (fault: Named) => boolean {
  const survived = earlier.filter(({ outcome }) => outcome === 'survived');
  const names = new Set(survived.map(nameOf));
  return (fault) => names.has(nameOf(fault));
}

/**
 * Returns a function that returns the earlier result of a fault, each result once. Files can contain equal
 * lines, and a run can end between their faults.
 */
export function resultsIn(
  earlier: readonly EarlierResult[],
): (fault: Named) => EarlierResult | undefined {
  const byName = Map.groupBy(earlier, nameOf);
  return (fault) => byName.get(nameOf(fault))?.shift();
}
