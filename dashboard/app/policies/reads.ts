import type { Queries } from '../../../src/client/generated/operations.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

export type ServiceWarning = Queries['get_policy_warnings']['result']['warnings'][number];

/** Reads the warnings of the service about all policies. */
export function useWarnings(): Read<readonly ServiceWarning[]> {
  const { client } = useSession();
  return useRead(['policy warnings'], async (signal) => {
    const { warnings } = await client.query('get_policy_warnings', {}, { signal });
    return warnings;
  });
}
