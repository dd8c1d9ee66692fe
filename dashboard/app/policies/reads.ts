import type { Queries } from '../../../src/client/generated/operations.ts';
import type { Read } from '../service/queries.ts';
import { useQuery } from '../service/reads.ts';

export type ServiceWarning = Queries['get_policy_warnings']['result']['warnings'][number];

/** Reads the warnings of the service about all policies. */
export function useWarnings(): Read<readonly ServiceWarning[]> {
  return useQuery(['policy warnings'], 'get_policy_warnings', ({ warnings }) => warnings);
}
