// Reads the data of an audit from a service.

import type { Client } from '../../client/connect.ts';
import {
  type AuditedChain,
  auditChain,
  auditLog,
  compareActivities,
  type EarlierTree,
  type ShownActivity,
  type ShownEntry,
} from '../../receipts/audit.ts';
import { readSource } from '../files/inputs.ts';
import { objectIn } from '../output/verified.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';
import { listWithoutEnd } from '../words/rows.ts';

const activitiesOfPage = '100';
/** The service appends activities to the log within a second. */
const lagMs = 1_500;
/** No service archives an activity that was decided within two days. */
const leastArchiveAgeMs = 2 * 24 * 60 * 60 * 1000;
const maximumAttempts = 4;
/** Pages of one list, because a hostile service could return them without end. */
const maximumPages = 100_000;

type Ask = Pick<Client, 'query'>;

/** Activities as the service lists them. Those up to `archivedTo` are archived. */
type ListedActivities = {
  readonly activities: readonly ShownActivity[];
  readonly archivedTo: string;
};

type AuditReader = {
  activities(): Promise<ListedActivities>;
  /** Throws an error that names the failed check. */
  audit(
    organizationId: string,
    policy: string,
    earlier: EarlierTree | undefined,
  ): Promise<AuditedChain>;
};

export function createAuditReader(client: Ask, url: string): AuditReader {
  async function tile(path: string): Promise<Uint8Array> {
    const response = await fetchDocument(new URL(`/log/${path}`, url));
    if (!response.ok) throw new Error(`the service does not have the tile ${path}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  return {
    activities: async () => {
      const activities: ShownActivity[] = [];
      let archivedTo = '';
      let after: string | undefined;
      for (let page = 0; page < maximumPages; page += 1) {
        const paginationOptions = { limit: activitiesOfPage, ...(after && { after }) };
        const answer = await client.query('list_activities', { paginationOptions });
        for (const { id, status } of answer.activities) activities.push({ id, status });
        for (const { lastActivityId } of answer.archivedSegments ?? []) {
          if (lastActivityId > archivedTo) archivedTo = lastActivityId;
        }
        const last = answer.nextCursor ?? answer.activities.at(-1)?.id;
        if (last === undefined || last === after) return { activities, archivedTo };
        after = last;
      }
      throw listWithoutEnd(`${maximumPages} pages`);
    },
    audit: async (organizationId, policy, earlier) => {
      const shown: ShownEntry[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < maximumPages; pages += 1) {
        const page = await client.query('list_log_entries', cursor === undefined ? {} : { cursor });
        shown.push(...page.entries);
        if (page.nextCursor !== undefined && page.nextCursor !== cursor) {
          cursor = page.nextCursor;
          continue;
        }
        if (page.end === undefined) throw new Error('the log has no entry of the organization');
        const chain = auditChain(organizationId, shown, page.end, policy);
        await auditLog(chain, tile, earlier);
        return chain;
      }
      throw listWithoutEnd(`${maximumPages} pages`);
    },
  };
}

/** An audit with the activities that the service lists. */
type AuditedOrganization = AuditedChain & {
  readonly activities: number;
  /** Number of activities older than the log, or newer than its end. */
  readonly withoutEntry: number;
  /** Number of activities that are not listed because the service states that it archived them. */
  readonly archived: number;
};

type AuditWorld = {
  readonly pause: (ms: number) => Promise<unknown>;
  readonly clock: () => number;
};

/**
 * Audits an organization and its list of activities. Retries on a difference, because the log lags behind.
 * Throws an error that names the failed check.
 */
export async function auditOrganization(
  reader: AuditReader,
  asked: {
    readonly organizationId: string;
    readonly policy: string;
    readonly earlier: EarlierTree | undefined;
  },
  { pause, clock }: AuditWorld,
): Promise<AuditedOrganization> {
  const { organizationId, policy, earlier } = asked;
  for (let attempt = 1; ; attempt += 1) {
    // Read the activities first, so that the log read afterwards contains all except the newest.
    const { activities, archivedTo } = await reader.activities();
    const audited = await reader.audit(organizationId, policy, earlier);
    const decidedBefore = clock() - leastArchiveAgeMs;
    const archive = { lastActivityId: archivedTo, decidedBefore };
    const { findings, ...counts } = compareActivities(audited.entries, activities, archive);
    if (findings.length === 0) return { ...audited, activities: activities.length, ...counts };
    if (attempt === maximumAttempts) throw new Error(findings.join('; '));
    await pause(lagMs);
  }
}

/** Returns the tree of an earlier audit from the output of `audit --json`. Throws `usage`. */
export async function readEarlier(file: string, terminal: Terminal): Promise<EarlierTree> {
  const prints = 'the output of keywright audit --json';
  const { size, root } = objectIn(await readSource(file, terminal), file, prints);
  if (typeof size !== 'number' || typeof root !== 'string') throw usage(`${file} is not ${prints}`);
  return { size, root: Uint8Array.fromBase64(root) };
}
