// Entries of the log and their openings. An entry is a commitment of 32 bytes: the hash of a salt and a
// text. It reveals nothing without its salt. The verifier of receipts shares this file.

import { type Hash, joined } from './inclusion.ts';

/** The text of an activity's entry, by its lines. */
export type ActivityEntry = {
  readonly organizationId: string;
  /** Numbers of an organization's entries: 1, 2, 3 … without gaps. */
  readonly number: number;
  /** The organization's previous entry in hex; 64 zeros for the first one. */
  readonly previous: string;
  readonly activityId: string;
  /** Version of the activity. */
  readonly version: number;
  readonly status: string;
  /** Time of this version of the activity (milliseconds since 1970). */
  readonly atMs: number;
  /** SHA-256 of the record of the activity, hex. */
  readonly record: string;
};

export const activityKind = 'keywright-log-activity/v1';
/** The previous entry of the first entry. */
export const noPrevious = '0'.repeat(64);

const entryPattern = new RegExp(
  [
    `^${activityKind}`,
    'organization ([0-9a-f-]{36})',
    'number ([1-9][0-9]{0,15})',
    'previous ([0-9a-f]{64})',
    'activity ([0-9a-f-]{36})',
    'version ([1-9][0-9]{0,15})',
    'status ([A-Z_]{1,64})',
    'at ([1-9][0-9]{0,15})',
    'record ([0-9a-f]{64})\n$',
  ].join('\n'),
);

/** Parses the text of an activity's entry. Returns undefined unless `textOfEntry` writes the same text. */
export function readEntry(text: string): ActivityEntry | undefined {
  const match = entryPattern.exec(text);
  if (match === null) return undefined;
  const [, organizationId = '', number, previous = '', activityId = '', version, ...rest] = match;
  const [status = '', at, record = ''] = rest;
  return {
    organizationId,
    number: Number(number),
    previous,
    activityId,
    version: Number(version),
    status,
    atMs: Number(at),
    record,
  };
}

/** Length of an entry's salt. */
export const saltBytes = 32;

/** Returns the entry of a text, which is a leaf of the log. */
export function commitmentOf(hash: Hash, salt: Uint8Array, text: string): Uint8Array {
  return hash(joined(salt, new TextEncoder().encode(text)));
}
