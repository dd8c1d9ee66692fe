// The custody record: which rules hold for the data of a deployment, and which of its copies may sign.

import { knownRules, unknownRules } from './rules.ts';

/** Sealed, one for each database. */
export type CustodyRecord = {
  /** The first organization: two copies of one deployment have the same. */
  readonly organizationId: string;
  /** Names of the rules that must be enforced. */
  readonly rules: readonly string[];
  /** Raised by one each time that a copy is accepted; of two copies the one with more may sign. */
  readonly epoch: number;
  /** Present on a restored copy until it is accepted: the time of its backup (milliseconds since 1970). */
  readonly fence?: { readonly backupAtMs: number };
  /** The last copies that were accepted, newest last. */
  readonly accepted: readonly Acceptance[];
  /** Absent where nothing was archived. */
  readonly archive?: ArchiveEnd;
};

/** The end of the archive of activities. The owner of its folder can remove files, but not this record. */
export type ArchiveEnd = {
  readonly segments: number;
  /** SHA-256 of the manifest of the last one, hex. */
  readonly manifestDigest: string;
};

type Acceptance = {
  readonly epoch: number;
  readonly atMs: number;
  readonly reason: string;
  /** Time of the copy's backup; absent if the copy was not restored. */
  readonly backupAtMs?: number;
};

/** The anchor outside of the database: the newest epoch that was accepted. */
export type Anchor = { readonly organizationId: string; readonly epoch: number };

/** Acceptances that a record remembers. */
const maximumAcceptances = 16;

/** The record of new data. */
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

/** The record after the archive grew; undefined where it does not end where the archive was thought to. */
export function withArchiveEnd(
  record: CustodyRecord,
  { from, to }: { readonly from: ArchiveEnd | undefined; readonly to: ArchiveEnd },
): CustodyRecord | undefined {
  const isAsThought =
    record.archive?.segments === from?.segments &&
    record.archive?.manifestDigest === from?.manifestDigest;
  return isAsThought ? { ...record, archive: to } : undefined;
}

/** The record of a copy that signs nothing until it is accepted. */
export function fenced(record: CustodyRecord, backupAtMs: number): CustodyRecord {
  return { ...record, fence: { backupAtMs } };
}

/** The record of a copy that may sign from now on, with an epoch above all known ones. */
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

/** Returns true if a copy may sign, by its record and by the epochs remembered outside of it. */
export function copyStateOf(record: CustodyRecord, anchor: Anchor | undefined): CopyState {
  if (record.fence !== undefined) return 'fenced';
  return (anchor?.epoch ?? 0) > record.epoch ? 'superseded' : 'serving';
}
