// Finds activities that are in the log already. An activity waits again if a gateway was killed before it
// removed the row. The database is searched only if another enclave may have appended: after a start, and
// after a head of another node, until a batch is complete.

import type { LogRows, OpenedEntry } from '../records/log_rows.ts';
import { openingsSince } from './log_proofs.ts';

/** Maximum number of remembered entries that this enclave appended: those of the last batches. */
const maximumRemembered = 8_192;

export type WrittenEntries = {
  /** Returns the entries that the log does not have yet. */
  fresh(organizationId: string, entries: readonly OpenedEntry[]): Promise<readonly OpenedEntry[]>;
  /** Notes that another enclave may have appended. */
  foreign(): void;
  /** Notes that the log has these entries. `isAll`: no other activity waited. */
  wrote(entries: readonly OpenedEntry[], isAll: boolean): void;
};

export function createWrittenEntries(rows: Pick<LogRows, 'openingsAfter'>): WrittenEntries {
  const remembered = new Set<string>();
  let mustSearch = true;

  async function stored(organizationId: string, entries: readonly OpenedEntry[]) {
    const names = new Set<string>();
    const oldestMs = Math.min(...entries.map(({ atMs }) => atMs));
    for await (const openings of openingsSince(rows, organizationId, oldestMs)) {
      for (const entry of openings.entries) names.add(nameOf(entry));
    }
    return names;
  }

  return {
    fresh: async (organizationId, entries) => {
      if (entries.length === 0) return entries;
      const names = mustSearch ? await stored(organizationId, entries) : remembered;
      return entries.filter((entry) => !names.has(nameOf(entry)) && !remembered.has(nameOf(entry)));
    },
    foreign: () => {
      mustSearch = true;
    },
    wrote: (entries, isAll) => {
      for (const entry of entries) remembered.add(nameOf(entry));
      for (const name of remembered) {
        if (remembered.size <= maximumRemembered) break;
        remembered.delete(name);
      }
      if (isAll) mustSearch = false;
    },
  };
}

const nameOf = ({ activityId, version }: OpenedEntry): string => `${activityId}/${version}`;
