// Requires over many simulations that every kind of activity, answer and outcome occurred.

import { voteSelections } from '../../src/core/organization/records/activity.ts';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import { commitOutcomes } from '../../src/store/port.ts';
import { pastChange, type SimulationResult } from './simulation.ts';

/** Answers that must occur at least once. */
const wantedAnswers = [
  '200',
  'lost',
  'enclave_unavailable',
  'store_unavailable',
  'api_key_expired',
  'activity_decided',
] as const;

type Counted = Pick<SimulationResult, 'committed' | 'answers' | 'answered' | 'prepared'>;

export type Coverage = ReturnType<typeof createCoverage>;

/** Activities that simulations cannot complete; test/organization_keys/races.ts covers them. */
const ofOrganizationKeys: ReadonlySet<string> = new Set(
  ['CREATE_ORGANIZATION_KEY', 'CREATE_KEY_HOLDER', 'DELETE_KEY_HOLDER']
    .concat('SEAL_ORGANIZATION', 'UNSEAL_ORGANIZATION')
    .map((kind) => `ACTIVITY_TYPE_${kind}`),
);

/** Creates counters of what simulations did. */
export function createCoverage() {
  const counts = new Map<string, number>();
  const wanted = [
    ...Object.values(activityOperations)
      .map((operation) => operation.wire.type)
      .filter((type) => !ofOrganizationKeys.has(type)),
    ...Object.keys(queryOperations).map(nameOfQuery),
    ...voteSelections,
    'app proofs',
    ...wantedAnswers,
    ...commitOutcomes.map((outcome) => `prepared ${outcome}`),
    pastChange,
  ];
  return {
    add: ({ committed, answers, answered, prepared }: Counted): void => {
      const asked = [...answered].map((operation) => [nameOfQuery(operation), 1] as const);
      for (const [what, count] of [...committed, ...answers, ...asked, ...prepared]) {
        counts.set(what, (counts.get(what) ?? 0) + count);
      }
    },
    /**
     * Returns activities that never completed, answers that never occurred, and outcomes that are missing.
     */
    missing: (): string[] => wanted.filter((what) => !counts.has(what)),
    counts: counts as ReadonlyMap<string, number>,
  };
}

const nameOfQuery = (operation: string) => `asked ${operation}`;
