// Reads and writes the custody record. The record must open for its place and must not be older than a record
// seen before. It is read again after a second.

import type { Anchor, CustodyRecord } from '../../core/custody/record.ts';
import { printableRule, unknownRules } from '../../core/custody/rules.ts';
import { fail } from '../../core/errors/errors.ts';
import { noChange, type StoredOrganization, type StorePort } from '../../store/port.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { openJson, type RecordCodec, readOwnRow, refuseRecord } from './record_codec.ts';

/** Storage of the newest epoch outside of the database. */
export type AnchorPort = {
  /** Returns undefined before the first `raise`. */
  read(): Promise<Anchor | undefined>;
  /** Stores an epoch durably; returns false if the stored epoch is equal or newer. */
  raise(anchor: Anchor): Promise<boolean>;
};

/** Not a UUID, so requests cannot name the row. */
export const custodyId = 'custody';

/** Maximum age of the last read. */
const recheckMs = 1_000;
const maximumAttempts = 20;

export type CustodyPorts = {
  readonly store: Pick<StorePort, 'organization' | 'commit'>;
  readonly codec: RecordCodec;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Names of the rules that this enclave enforces. */
  readonly rules: readonly string[];
  readonly anchor: AnchorPort;
};

/** The record and the version of its row, with the anchor of the same read. */
export type SeenCustody = {
  readonly version: number;
  readonly record: CustodyRecord;
  readonly anchor: Anchor | undefined;
};

type Known = Pick<SeenCustody, 'version' | 'record'>;

export type CustodyReader = {
  /**
   * Returns the record read at most a second ago. Raises `rule_unknown`, `custody_missing` without a record,
   * `anchor_mismatch` for the anchor of other data, and `record_refused`.
   */
  recent(): Promise<SeenCustody>;
  /** Returns the result of `recent`, or undefined if `recent` would read the store. */
  remembered(): SeenCustody | undefined;
  /** Replaces the record by the result of `change`; undefined leaves it unchanged. */
  update(change: (seen: SeenCustody) => Promise<CustodyRecord | undefined>): Promise<SeenCustody>;
  /** Seals the record as this version of its row. */
  rowOf(record: CustodyRecord, version: number): StoredOrganization;
};

export function createCustodyReader(ports: CustodyPorts): CustodyReader {
  const { store, codec, clock, rules, anchor } = ports;
  let known: Known | undefined;
  let anchored: Anchor | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<Known> | undefined;
  let served: { readonly found: Known; readonly seen: SeenCustody } | undefined;

  async function look(): Promise<Known> {
    const nowMs = clock();
    // The anchor is read last, so that it covers a replica accepted before the read of the record.
    const found = await read();
    const remembered = await anchor.read();
    const { organizationId } = found.record;
    if (remembered !== undefined && remembered.organizationId !== organizationId) {
      fail('anchor_mismatch', { organizationId: remembered.organizationId });
    }
    anchored = remembered;
    // This enclave may have replaced the record in the meantime.
    if (found.version > (known?.version ?? 0)) known = found;
    lookedAtMs = nowMs;
    return found;
  }

  async function read(): Promise<Known> {
    const knownVersion = known?.version ?? 0;
    const place = { organizationId: custodyId, kind: 'custody', id: custodyId };
    const { version, organization: row } = await readOwnRow(store, place, knownVersion);
    if (version === undefined) fail('custody_missing');
    if (row === undefined && known?.version === version) return known;
    const sealedFor = custodyPlace(row?.version ?? version);
    // An earlier version than one that this enclave has seen is a rollback.
    if (row === undefined || row.organizationId !== custodyId || row.version <= knownVersion) {
      return refuseRecord(sealedFor);
    }
    return { version: row.version, record: openJson(codec.sealing, sealedFor, row.head) };
  }

  function remembered(): SeenCustody | undefined {
    const isNewest = served?.found === known && served?.seen.anchor === anchored;
    return isNewest && isRecent(clock() - lookedAtMs) ? served?.seen : undefined;
  }

  async function recent(): Promise<SeenCustody> {
    const found = known && isRecent(clock() - lookedAtMs) ? known : await shared();
    if (served?.found !== found || served.seen.anchor !== anchored) {
      requireKnownRules(found, rules);
      served = { found, seen: { ...found, anchor: anchored } };
    }
    return served.seen;
  }

  /** Concurrent callers share one read. */
  function shared(): Promise<Known> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function update(
    change: (seen: SeenCustody) => Promise<CustodyRecord | undefined>,
  ): Promise<SeenCustody> {
    for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
      lookedAtMs = Number.NEGATIVE_INFINITY;
      const seen = await recent();
      const after = await change(seen);
      if (after === undefined) return seen;
      const version = seen.version + 1;
      const outcome = await store.commit({ ...noChange, organizations: [rowOf(after, version)] });
      if (outcome !== 'committed') continue;
      known = { version, record: after };
      // The next request must read the anchor too.
      lookedAtMs = Number.NEGATIVE_INFINITY;
      return { ...known, anchor: anchored };
    }
    return fail('organization_busy', { attempts: maximumAttempts });
  }

  function rowOf(record: CustodyRecord, version: number): StoredOrganization {
    const head = codec.sealing.seal(custodyPlace(version), JSON.stringify(record));
    return { organizationId: custodyId, parentId: undefined, version, guard: version, head };
  }

  return { recent, remembered, update, rowOf };
}

/** Returns false for a negative age, because the clock may have been set back. */
const isRecent = (ageMs: number): boolean => ageMs >= 0 && ageMs < recheckMs;

/** Raises `rule_unknown` if the record names a rule that this enclave does not know. */
function requireKnownRules({ record }: Known, rules: readonly string[]): void {
  const [rule] = unknownRules(record.rules, rules);
  if (rule !== undefined) fail('rule_unknown', { rule: printableRule(rule) });
}

/** Returns the address of the sealed record. */
export function custodyPlace(version: number): RecordAddress {
  return { organizationId: '', kind: 'custody', id: custodyId, version };
}
