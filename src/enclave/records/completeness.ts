import { isOpen } from '../../core/activity/activity.ts';
import { hex, utf8 } from '../../core/base/bytes.ts';
import { hmacSha256 } from '../../core/crypto/hashes.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { RootKeys } from '../keys/root_keys.ts';

/** Version and seal mark of each row of small state, by `kind/id`. */
export type SealMarks = ReadonlyMap<string, string>;

/**
 * Keyed digest (hex) over exactly these rows in exactly these versions. It is sealed in the head, so
 * a row that is missing, added, or put back from an earlier time does not go unnoticed.
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
 * Returns true if the organization at this version says the same of an activity: that it is decided, or
 * that exactly this version of its row waits for votes. A row put back from before a vote fails here.
 */
export function vouchesFor(
  state: OrganizationState,
  activity: Pick<Activity, 'id' | 'status' | 'version'>,
): boolean {
  const open = state.records.open_activity.get(activity.id);
  return isOpen(activity) ? open?.activityVersion === activity.version : open === undefined;
}

/** Changes that the head of an organization remembers as done. */
const maximumRecentChanges = 64;
const digestBytes = 16;

/**
 * The last requests that changed an organization, newest last, each as the start of its keyed fingerprint and
 * the id of its activity. The head seals them, so a request whose activity is withheld does not change the
 * organization again.
 */
export type RecentChanges = readonly string[];

/** Keyed fingerprint (32 bytes) and activity of a request. */
export type DoneRequest = { readonly fingerprint: Uint8Array; readonly activityId: string };

/** The changes with one more; one that is there already, with further votes, counts as new. */
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
