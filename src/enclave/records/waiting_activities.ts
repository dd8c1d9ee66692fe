// Reads the activities that wait for the log, one page for each organization.

import { publicSha256Hex } from '../../core/crypto/hashes.ts';
import type { StoredActivity, StorePort } from '../../store/port.ts';
import type { OpenedEntry } from './log_rows.ts';
import { type RecordCodec, RecordRefusedError } from './record_codec.ts';
import type { SealedEntries } from './sealed_entries.ts';

/** A waiting activity in its written version. */
export type Waiting = {
  readonly organizationId: string;
  readonly activityId: string;
  readonly version: number;
};

type WaitingReader = {
  /**
   * Returns the log entries of an organization's activities, in the order of their IDs. Does not read
   * activities that this enclave remembers. Omits replaced versions, and missing rows, which were archived.
   * Passes an altered row to `refused`, and omits it.
   */
  read(
    organizationId: string,
    waiting: readonly Waiting[],
    refused: (error: RecordRefusedError) => void,
  ): Promise<readonly OpenedEntry[]>;
};

export function createWaitingReader({
  store,
  codec,
  sealed,
}: {
  readonly store: Pick<StorePort, 'activity' | 'activityPage'>;
  readonly codec: RecordCodec;
  readonly sealed: SealedEntries;
}): WaitingReader {
  /** One page contains most of them, because new activities have the newest ids. */
  async function rowsOf(organizationId: string, ids: readonly string[]) {
    const found = new Map<string, StoredActivity>();
    const [first] = ids;
    if (first === undefined) return found;
    const rows = await store.activityPage({
      organizationId,
      statuses: [],
      types: [],
      page: { greaterThan: before(first), lessThan: undefined, ascending: true, limit: ids.length },
    });
    for (const row of rows) if (row.body.length > 0) found.set(row.id, row);
    for (const id of ids) {
      if (found.has(id)) continue;
      const row = await store.activity({ organizationId, id });
      if (row !== undefined) found.set(id, row);
    }
    return found;
  }

  function entryOf(organizationId: string, row: StoredActivity): OpenedEntry {
    const { text, activity } = codec.openActivityText(organizationId, row);
    const { id: activityId, version, updatedAtMs: atMs } = row;
    return { activityId, version, status: activity.status, atMs, record: publicSha256Hex(text) };
  }

  return {
    read: async (organizationId, waiting, refused) => {
      const versions = new Map<string, number>();
      for (const { activityId, version } of waiting) {
        versions.set(activityId, Math.max(version, versions.get(activityId) ?? 0));
      }
      const known = new Map<string, OpenedEntry>();
      for (const [id, version] of versions) {
        const entry = sealed.take(organizationId, id, version);
        if (entry !== undefined) known.set(id, entry);
      }
      const ids = [...versions.keys()].sort();
      const unknown = ids.filter((id) => !known.has(id));
      const rows = await rowsOf(organizationId, unknown);
      return ids.flatMap((id) => {
        const entry = known.get(id);
        if (entry !== undefined) return [entry];
        const row = rows.get(id);
        if (row === undefined) return [];
        try {
          return [entryOf(organizationId, row)];
        } catch (error) {
          if (!(error instanceof RecordRefusedError)) throw error;
          refused(error);
          return [];
        }
      });
    },
  };
}

/** Returns a text that sorts before an id and after every smaller id. */
function before(id: string): string {
  return id.slice(0, -1);
}
