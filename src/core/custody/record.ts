// The custody record: the rules for the data of a deployment, and which of its copies may sign.

import { knownRules, unknownRules } from './rules.ts';

/** Stored sealed, once in each database. */
export type CustodyRecord = {
  /** The first organization, which is the same in all copies of a deployment. */
  readonly organizationId: string;
  /** Names of the rules that must be enforced. */
  readonly rules: readonly string[];
  /** Grows by one with each acceptance. Of two copies, the one with the higher epoch may sign. */
  readonly epoch: number;
  /** Set on a restored copy until its acceptance: the time of its backup (milliseconds since 1970). */
  readonly fence?: { readonly backupAtMs: number };
  /** The latest acceptances, newest last. */
  readonly accepted: readonly Acceptance[];
  /** Undefined until something is archived. */
  readonly archive?: ArchiveEnd;
};

/** The end of the archive of activities. The owner of its folder can remove files, but not this record. */
export type ArchiveEnd = {
  readonly segments: number;
  /** SHA-256 of the manifest of the last segment, hex. */
  readonly manifestDigest: string;
};

type Acceptance = {
  readonly epoch: number;
  readonly atMs: number;
  readonly reason: string;
  /** Time of the copy's backup. Undefined for a copy that was not restored. */
  readonly backupAtMs?: number;
};

/** The anchor outside the database: the newest accepted epoch. */
export type Anchor = { readonly organizationId: string; readonly epoch: number };

/** Maximum number of acceptances in a record. */
const maximumAcceptances = 16;

/** Returns the record for new data. */
export function newCustodyRecord(
  organizationId: string,
  rules: readonly string[] = knownRules,
): CustodyRecord {
  return { organizationId, rules, epoch: 1, accepted: [] };
}

/** Adds missing rules to the record. Returns undefined if none is missing. */
export function withRules(
  record: CustodyRecord,
  rules: readonly string[],
): CustodyRecord | undefined {
  const missing = unknownRules(rules, record.rules);
  return missing.length === 0 ? undefined : { ...record, rules: [...record.rules, ...missing] };
}

/** Returns the record with the new end of the archive; undefined if its end is not `from`. */
export function withArchiveEnd(
  record: CustodyRecord,
  { from, to }: { readonly from: ArchiveEnd | undefined; readonly to: ArchiveEnd },
): CustodyRecord | undefined {
  const isAsThought =
    record.archive?.segments === from?.segments &&
    record.archive?.manifestDigest === from?.manifestDigest;
  return isAsThought ? { ...record, archive: to } : undefined;
}

/** Returns the record of a copy that must not sign until it is accepted. */
export function fenced(record: CustodyRecord, backupAtMs: number): CustodyRecord {
  return { ...record, fence: { backupAtMs } };
}

/** Returns the record of a copy that may sign from now on, with an epoch above all known ones. */
export function accepted(
  { fence, ...record }: CustodyRecord,
  anchor: Anchor | undefined,
  { atMs, reason }: Pick<Acceptance, 'atMs' | 'reason'>,
): CustodyRecord {
  const epoch = Math.max(record.epoch, anchor?.epoch ?? 0) + 1;
  const acceptance = { epoch, atMs, reason, ...fence };
  const all = [...record.accepted, acceptance];
  return { ...record, epoch, accepted: all.slice(-maximumAcceptances) };
}

/** `fenced`: restored and not accepted. `superseded`: another copy was accepted since. */
export const copyStates = ['serving', 'fenced', 'superseded'] as const;
export type CopyState = (typeof copyStates)[number];

/** Returns the state of a copy from its record and the anchor outside the database. */
export function copyStateOf(record: CustodyRecord, anchor: Anchor | undefined): CopyState {
  if (record.fence !== undefined) return 'fenced';
  return (anchor?.epoch ?? 0) > record.epoch ? 'superseded' : 'serving';
}
