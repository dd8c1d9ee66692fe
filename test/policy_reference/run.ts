// Runs many random cases. Each has its own seed, so that it can be repeated alone.

import { type Case, compare, describe, shrink } from './compare.ts';
import { type Manner, randomExpression } from './expressions.ts';
import { randomScope } from './facts.ts';
import { Random } from './random.ts';

export type Report = {
  /** The number of cases with each outcome. */
  readonly counts: ReadonlyMap<string, number>;
  /** The first cases that differ, shrunk; at most `maximumDifferences`. */
  readonly differences: readonly string[];
};

const maximumDifferences = 10;

/** Runs a number of cases, starting with a seed. */
export function run(cases: number, seed: number): Report {
  const counts = new Map<string, number>();
  const differences: string[] = [];
  for (let n = 0; n < cases && differences.length < maximumDifferences; n += 1) {
    const caseSeed = (seed + n) >>> 0;
    const one = caseOf(caseSeed);
    const found = compare(one);
    if ('agreed' in found) {
      counts.set(found.agreed, (counts.get(found.agreed) ?? 0) + 1);
      continue;
    }
    const small = shrink(one);
    const difference = compare(small);
    differences.push(
      `seed        ${caseSeed}\n${describe(small, 'difference' in difference ? difference.difference : found.difference)}`,
    );
  }
  return { counts, differences };
}

/** Returns the case of a seed. */
export function caseOf(seed: number): Case {
  // Neighbouring seeds must give unrelated choices.
  const random = new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  const clause = random.pick([...conditions, 'consensus', 'consensus', 'time'] as const);
  const manner = random.pick(manners);
  return {
    clause,
    purpose: random.pick(['allow', 'forbid']),
    text: randomExpression(random, clause, manner),
    scope: randomScope(random, clause, random.pick([1, 1, 0.97, 0.9, 0.6])),
  };
}

const conditions = Array.from({ length: 9 }, () => 'condition' as const);
const manners: readonly Manner[] = [
  ...Array.from({ length: 8 }, () => 'well_typed' as const),
  'ill_typed',
  'ill_formed',
];
