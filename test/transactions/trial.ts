// How the reader of a chain is tried: against libraries of others, and against changed bytes.

import { Random } from '../policy_reference/random.ts';

/** Outcome of one case; a problem is what must not happen. */
export type CaseOutcome = { readonly name: string; readonly problem?: string };

export type ChainTrial = {
  /** A changed transaction, read by us and by at least two libraries. */
  readonly differential: (random: Random) => CaseOutcome;
  /** A byte of an accepted transaction changed: a fact or what is signed changes, or it is refused. */
  readonly mutation: (random: Random) => CaseOutcome;
};

export type TrialResult = {
  /** Cases by the name of their outcome. */
  readonly counts: ReadonlyMap<string, number>;
  /** At most ten. */
  readonly problems: readonly string[];
};

const maximumProblems = 10;

/** Runs so many cases of one kind; equal seeds give equal cases. */
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

/** One byte at a random place made another. */
export function withByteChanged(bytes: Uint8Array, random: Random): Uint8Array {
  const changed = bytes.slice();
  const at = random.below(bytes.length);
  changed[at] = (changed[at] ?? 0) ^ (1 + random.below(255));
  return changed;
}
