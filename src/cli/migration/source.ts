import type { Output } from '../output/output.ts';
import { connectService } from '../service/service.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { usage } from '../words/failures.ts';
import type { PlannedRow } from './plan.ts';
import { type OrganizationState, readOrganization } from './state.ts';

/** The option that names the organization to read. */
export const fromOption = {
  kind: 'text',
  value: 'PROFILE',
  summary: 'Profile of the organization to read. --profile names the target.',
} as const;

/** Reads the organization of a profile. Raises `usage` without a profile, and the errors of the client. */
export async function readSource(
  from: string | undefined,
  common: CommonValues,
  terminal: Terminal,
  output: Output,
): Promise<OrganizationState> {
  if (from === undefined) throw usage('--from is missing', 'keywright profile list');
  // The other flags select the target.
  const own = { profile: from, url: undefined, organization: undefined, credentials: undefined };
  const { client } = await connectService({ ...common, ...own }, terminal, output, {
    showsQueries: false,
  });
  return readOrganization(client);
}

/** Prints a plan, one row per line. */
export function printPlan(plan: readonly PlannedRow[], output: Output): void {
  output.list(
    plan.map(({ kind, name, state, note }) => ({
      Kind: kind,
      Name: name,
      State: state,
      Note: note,
    })),
    {
      document: { rows: plan.map(({ kind, name, state, note }) => ({ kind, name, state, note })) },
      ids: plan.map(({ name }) => name),
      empty: 'The source has nothing to move.',
    },
  );
}
