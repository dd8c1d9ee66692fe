// The trial of a chain's reader: against other libraries, and on changed bytes.

import { Random } from '../policy_reference/random.ts';

/** The outcome of one case. A problem is an outcome that must not occur. */
export type CaseOutcome = { readonly name: string; readonly problem?: string };

export type ChainTrial = {
  /** Compares the reader with at least two libraries on a changed transaction. */
  readonly differential: (random: Random) => CaseOutcome;
  /**
   * Changes a byte of an accepted transaction. A fact or the signed bytes must change, or the reader must
   * refuse.
   */
  readonly mutation: (random: Random) => CaseOutcome;
};

export type TrialResult = {
  /** The number of cases by outcome. */
  readonly counts: ReadonlyMap<string, number>;
  /** At most ten problems. */
  readonly problems: readonly string[];
};

const maximumProblems = 10;

/** Runs a number of cases of one kind; equal seeds give equal cases. */
export function runTrial(
  one: (random: Random) => CaseOutcome,
  cases: number,
  seed: number,
): TrialResult {
  const random = new Random(seed);
  const counts = new Map<string, number>();
  const problems: string[] = [];
  for (let i = 0; i < cases && problems.length < maximumProblems; i += 1) {
    const { name, problem } = one(random);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (problem !== undefined) problems.push(`case ${i}: ${problem}`);
  }
  return { counts, problems };
}

/** Returns the bytes with one changed at random. */
export function withByteChanged(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = bytes.slice();
  const at = random.below(bytes.length);
  changed[at] = (changed[at] ?? 0) ^ (1 + random.below(255));
  return changed;
}
