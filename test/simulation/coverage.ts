// What many simulations have done together: what was never done was never tried.

import { voteSelections } from '../../src/core/activity/activity.ts';
import { activityOperations } from '../../src/operations/index.ts';
import type { SimulationResult } from './simulation.ts';

/** Answers that must turn up among all those that simulations give. */
const wantedAnswers = [
  '200',
  'lost',
  'enclave_unavailable',
  'store_unavailable',
  'api_key_expired',
  'activity_decided',
] as const;

export type Coverage = ReturnType<typeof createCoverage>;

/** Counts what simulations did. */
export function createCoverage() {
  const counts = new Map<string, number>();
  const wanted = [
    ...Object.values(activityOperations).map((operation) => operation.wire.type),
    ...voteSelections,
    ...wantedAnswers,
  ];
  return {
    add: ({ committed, answers }: Pick<SimulationResult, 'committed' | 'answers'>): void => {
      for (const [what, count] of [...committed, ...answers]) {
        counts.set(what, (counts.get(what) ?? 0) + count);
      }
    },
    /** Activities that never became durable, and answers that nobody got. */
    missing: (): string[] => wanted.filter((what) => !counts.has(what)),
    counts: counts as ReadonlyMap<string, number>,
  };
}
