// Log entries of activities that this enclave sealed, which the log appends without reading the rows again.
// Nothing is remembered before the first batch, so a service without a log does no extra work.

import { createRecentCache } from '../../core/base/lru_cache.ts';
import { publicSha256Hex } from '../../core/crypto/hashes.ts';
import type { OpenedEntry } from './log_rows.ts';
import type { SealedActivity } from './record_codec.ts';

/** Maximum number of remembered entries: several batches of the log. */
const maximumEntries = 4_096;
const firstVersion = 1;

export type SealedEntries = {
  /** Remembers the entry of a sealed activity. */
  sealed(activity: SealedActivity, text: string): void;
  /** Starts to remember entries. */
  begin(): void;
  /** Returns the entry of an activity at a version, and removes it. */
  take(organizationId: string, activityId: string, version: number): OpenedEntry | undefined;
};

/**
 * Remembers only first versions. Forgets an activity that is sealed twice, because only the database has
 * the sealed row that became durable.
 */
export function createSealedEntries(): SealedEntries {
  let isBegun = false;
  const entries = createRecentCache<OpenedEntry | 'sealed twice'>(maximumEntries);
  const nameOf = (organizationId: string, activityId: string) => `${organizationId}/${activityId}`;
  return {
    begin: () => {
      isBegun = true;
    },
    sealed: ({ organizationId, id: activityId, version, status, updatedAtMs: atMs }, text) => {
      if (!isBegun) return;
      const name = nameOf(organizationId, activityId);
      if (version !== firstVersion || entries.get(name) !== undefined) {
        entries.set(name, 'sealed twice');
        return;
      }
      const record = publicSha256Hex(text);
      entries.set(name, { activityId, version, status, atMs, record });
    },
    take: (organizationId, activityId, version) => {
      if (version !== firstVersion) return undefined;
      const name = nameOf(organizationId, activityId);
      const entry = entries.get(name);
      if (entry === undefined || entry === 'sealed twice') return undefined;
      entries.drop(name);
      return entry;
    },
  };
}
