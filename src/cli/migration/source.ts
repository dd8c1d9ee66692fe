import type { Client } from '../../client/connect.ts';
import type { Invocation } from '../command_line/command.ts';
import type { Output } from '../output/output.ts';
import { pinKeys } from '../profiles/pins.ts';
import { connectService, type Service } from '../service/service.ts';
import { usage } from '../words/failures.ts';
import { flag, option } from '../words/options.ts';
import type { PlanInput } from './plan.ts';
import type { PlannedRow } from './rows.ts';
import { sourceDigest } from './source_digest.ts';
import { readOrganization } from './state.ts';
import { subOrganizationsOf } from './sub_organizations.ts';
import { readTransfers, waitingCreations } from './transfers.ts';

/** The options of the commands that compare two organizations. */
export const migrationOptions = {
  from: option('PROFILE', 'Profile of the organization to read. --profile names the target.'),
  keys: flag('Moves wallets and private keys too, by exports to keys of the target.'),
} as const;

export type Migration = {
  readonly connected: Service;
  readonly source: Client;
  readonly target: Client;
  /** The digest of all rows of the source. */
  readonly digest: string;
  /** Reads both organizations. Reads rows of the source only once, except moves in progress. */
  readonly input: () => Promise<PlanInput>;
};

/**
 * Connects to both services, the target first. Throws `usage` before any request if no source profile is
 * given, and the errors of the client.
 */
export async function connectBoth(
  { from, keys }: { readonly from?: string | undefined; readonly keys: boolean },
  {
    common,
    terminal,
    output,
    service,
  }: Pick<Invocation, 'common' | 'terminal' | 'output' | 'service'>,
): Promise<Migration> {
  if (from === undefined) throw usage('--from is missing', 'keywright profile list');
  const connected = await service();
  const target = connected.client;
  // Report a mistake about the target before one about the source.
  await target.query('whoami', {});
  // Targets of imports are accepted only under the pinned keys.
  if (keys) await pinKeys(connected, terminal, output);
  // The other flags select the target.
  const own = { profile: from, url: undefined, organization: undefined, credentials: undefined };
  const { client: source } = await connectService({ ...common, ...own }, terminal, output, {
    showsQueries: false,
  });
  const readTargetChildren = subOrganizationsOf(target);
  const unchanging = await Promise.all([readOrganization(source), subOrganizationsOf(source)()]);
  return {
    connected,
    source,
    target,
    digest: sourceDigest(...unchanging),
    input: async () => ({
      source: unchanging[0],
      sourceChildren: unchanging[1],
      target: await readOrganization(target),
      targetChildren: await readTargetChildren(),
      transfers: keys ? await readTransfers(source, target) : undefined,
      waiting: await waitingCreations(target),
      nowMs: terminal.clock(),
    }),
  };
}

/** Prints a plan, one row a line. In JSON, a row has the request that creates it. */
export function printPlan(
  plan: readonly PlannedRow[],
  { digest }: Pick<Migration, 'digest'>,
  output: Output,
): void {
  const rows = plan.map(({ move: _, ...row }) => row);
  output.list(
    rows.map(({ kind, name, state, note }) => ({
      Kind: kind,
      Name: name,
      State: state,
      Note: note,
    })),
    {
      document: { sourceDigest: digest, rows },
      ids: rows.map(({ name }) => name),
      empty: 'The source has nothing to move.',
    },
  );
}
