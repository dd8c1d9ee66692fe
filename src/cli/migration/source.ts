import type { Invocation } from '../command_line/command.ts';
import type { Output } from '../output/output.ts';
import { connectService, type Service } from '../service/service.ts';
import { usage } from '../words/failures.ts';
import type { PlannedRow } from './plan.ts';
import { type OrganizationState, readOrganization } from './state.ts';

/** The option for the organization to read. */
export const fromOption = {
  kind: 'text',
  value: 'PROFILE',
  summary: 'Profile of the organization to read. --profile names the target.',
} as const;

/**
 * Reads both organizations, the target first. Throws `usage` before any request if no source profile is
 * given, and the errors of the client.
 */
export async function readBoth(
  from: string | undefined,
  {
    common,
    terminal,
    output,
    service,
  }: Pick<Invocation, 'common' | 'terminal' | 'output' | 'service'>,
): Promise<{
  readonly connected: Service;
  readonly source: OrganizationState;
  readonly target: OrganizationState;
}> {
  if (from === undefined) throw usage('--from is missing', 'keywright profile list');
  const connected = await service();
  const target = await readOrganization(connected.client);
  // The other flags select the target.
  const own = { profile: from, url: undefined, organization: undefined, credentials: undefined };
  const { client } = await connectService({ ...common, ...own }, terminal, output, {
    showsQueries: false,
  });
  return { connected, source: await readOrganization(client), target };
}

/** Prints a plan, one row a line. */
export function printPlan(plan: readonly PlannedRow[], output: Output): void {
  const rows = plan.map(({ kind, name, state, note }) => ({ kind, name, state, note }));
  output.list(
    rows.map(({ kind, name, state, note }) => ({
      Kind: kind,
      Name: name,
      State: state,
      Note: note,
    })),
    {
      document: { rows },
      ids: rows.map(({ name }) => name),
      empty: 'The source has nothing to move.',
    },
  );
}
