import { isOpen } from '../../core/activity/activity.ts';
import { hex, utf8 } from '../../core/base/bytes.ts';
import { hmacSha256 } from '../../core/crypto/hashes.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { RootKeys } from '../keys/root_keys.ts';

/** Version and seal mark of each row of small state, by `kind/id`. */
export type SealMarks = ReadonlyMap<string, string>;

/**
 * Returns a keyed digest (hex) of exactly these versions of these rows. The sealed head contains it, which
 * reveals missing, added and rolled-back rows.
 */
export function completenessOf(key: Uint8Array, marks: SealMarks): string {
  const lines = [...marks].map(([name, mark]) => `${name}=${mark}\n`).sort();
  return hex(hmacSha256(key, utf8(lines.join(''))));
}

/** Returns the key of the digest for heads that are written in this key epoch. */
export function completenessKey(keys: RootKeys, organizationId: string): Uint8Array {
  return keys.key('completeness', organizationId);
}

/**
 * Returns true if the organization at this version confirms the activity: it is decided, or exactly this
 * version of its row waits for votes. Rejects a row from before a vote.
 */
export function vouchesFor(
  state: OrganizationState,
  activity: Pick<Activity, 'id' | 'status' | 'version'>,
): boolean {
  const open = state.records.open_activity.get(activity.id);
  return isOpen(activity) ? open?.activityVersion === activity.version : open === undefined;
}

/** Maximum number of changes in the memory of an organization's head. */
const maximumRecentChanges = 64;
const digestBytes = 16;

/**
 * The last requests that changed an organization, newest last: the start of each keyed fingerprint and the id
 * of the activity. The head seals them, so a request cannot change the organization again if the store
 * withholds its activity.
 */
export type RecentChanges = readonly string[];

/** Keyed fingerprint (32 bytes) and activity of a request. */
export type DoneRequest = { readonly fingerprint: Uint8Array; readonly activityId: string };

/** Returns the changes with one more. A further vote on a known activity makes its change the newest. */
export function withChange(recent: RecentChanges, done: DoneRequest): RecentChanges {
  const start = startOf(done.fingerprint);
  const others = recent.filter((change) => !change.startsWith(start));
  return [...others, `${start}${done.activityId}`].slice(-maximumRecentChanges);
}

/** Returns the remembered activity of a request that changed the organization, if any. */
export function activityOfChange(
  recent: RecentChanges,
  fingerprint: Uint8Array | undefined,
): string | undefined {
  if (fingerprint === undefined) return undefined;
  const start = startOf(fingerprint);
  return recent.find((change) => change.startsWith(start))?.slice(start.length);
}

function startOf(fingerprint: Uint8Array): string {
  return `${hex(fingerprint.subarray(0, digestBytes))}/`;
}
