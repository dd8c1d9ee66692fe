// Writes changes of an organization as rows of the store: sealed, with their index entries, and with a head
// that proves the completeness of small state.

import { utf8 } from '../../core/base/bytes.ts';
import { endsStep, finish, type Steps } from '../../core/base/steps.ts';
import type { DraftChanges } from '../../core/organization/changes.ts';
import {
  type IndexEntry,
  indexEntriesOfHead,
  indexEntriesOfRecord,
} from '../../core/organization/indexes/indexes.ts';
import { isSmallKind } from '../../core/organization/kinds.ts';
import type { OrganizationHead } from '../../core/organization/model.ts';
import {
  newOrganizationState,
  type OrganizationState,
  stateAfter,
} from '../../core/organization/state.ts';
import type { NewOrganization } from '../../pipeline/ports.ts';
import type { StoreChange, StoredLookup, StoredRecord } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { type RecordAddress, sealedLengthOf, sealMark } from '../keys/sealing.ts';
import {
  completenessKey,
  completenessOf,
  type DoneRequest,
  type RecentChanges,
  type SealMarks,
  withChange,
} from './completeness.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

/** A verified state, the marks of its sealed rows, and its last changes. */
export type LoadedOrganization = {
  readonly state: OrganizationState;
  readonly marks: SealMarks;
  /** Total size of these rows. */
  readonly bytes: number;
  readonly recent: RecentChanges;
};

/** The content of an organization's sealed head. */
export type SealedHead = {
  readonly head: OrganizationHead;
  readonly parentId?: string;
  /** Copy of the unsealed column that the store compares. */
  readonly guard: number;
  readonly completeness: string;
  /** Key of the digest in hex, if a rotation sealed the head of an earlier key epoch again. */
  readonly completenessKey?: string;
  /** Undefined in heads of earlier releases. */
  readonly recent?: RecentChanges;
  /** Number of rules known to the writer. */
  readonly level: number;
};

/** The rows of one organization in a commit, and the organization afterwards. */
export type OrganizationChange = {
  readonly rows: Pick<
    StoreChange,
    'organizations' | 'records' | 'deletedRecords' | 'lookups' | 'deletedLookups'
  >;
  readonly after: LoadedOrganization;
};

const noRows: OrganizationChange['rows'] = {
  organizations: [],
  records: [],
  deletedRecords: [],
  lookups: [],
  deletedLookups: [],
};

export type ChangeWriter = {
  /** `done` is the request with these changes; a new organization comes from a request to its parent. */
  write(before: LoadedOrganization, changes: DraftChanges, done?: DoneRequest): OrganizationChange;
  writeNew(created: NewOrganization): OrganizationChange;
  /** Like `write`, with a few rows in each step. */
  writeInSteps(...written: Parameters<ChangeWriter['write']>): Steps<OrganizationChange>;
  /** Like `writeNew`, with a few rows in each step. */
  writeNewInSteps(created: NewOrganization): Steps<OrganizationChange>;
};

/** `level` is the number of rules known to this enclave. */
export function createChangeWriter(ports: {
  codec: RecordCodec;
  keys: RootKeys;
  level: number;
}): ChangeWriter {
  const { codec, keys, level } = ports;

  function* writeInSteps(
    before: LoadedOrganization,
    changes: DraftChanges,
    done?: DoneRequest,
  ): Steps<OrganizationChange> {
    const { state } = before;
    if (changesNothing(changes)) {
      return { rows: noRows, after: before };
    }
    const version = state.version + 1;
    const after = stateAfter(state, changes, version);
    const owner = { organizationId: state.id, parentId: state.parentId };
    const marks = new Map(before.marks);
    const recent = done === undefined ? before.recent : withChange(before.recent, done);
    const records: StoredRecord[] = [];
    const deletedRecords: { organizationId: string; kind: string; id: string }[] = [];
    const entries = createEntryChanges();
    const counter = { steps: 0 };
    let { bytes } = before;

    for (const { kind, id, before: old, after: row } of changes.records) {
      if (old !== undefined) entries.remove(indexEntriesOfRecord(kind, old, owner), id);
      if (old !== undefined && isSmallKind(kind)) {
        bytes -= sealedLengthOf(JSON.stringify(old), keys.epoch);
      }
      if (row === undefined) {
        deletedRecords.push({ organizationId: state.id, kind, id });
        marks.delete(`${kind}/${id}`);
        continue;
      }
      entries.add(indexEntriesOfRecord(kind, row, owner), id);
      const sealed = codec.sealRecord(state.id, kind, row, version);
      records.push(sealed);
      if (endsStep(counter) || sealed.body.length >= bytesOfPiece) yield;
      if (!isSmallKind(kind)) continue;
      marks.set(`${kind}/${id}`, markOf(sealed));
      bytes += sealed.body.length;
    }
    if (after.head !== state.head || state.version === 0) {
      if (state.version > 0) entries.remove(indexEntriesOfHead(state.head, owner), state.id);
      entries.add(indexEntriesOfHead(after.head, owner), state.id);
    }

    const lookups = yield* blindEntries(entries.added, state.id, keys);
    const deletedLookups = yield* blindEntries(entries.removed, state.id, keys);
    return {
      after: { state: after, marks, bytes, recent },
      rows: {
        organizations: [sealHead({ state: after, marks, bytes, recent })],
        records,
        deletedRecords,
        lookups,
        deletedLookups,
      },
    };
  }

  function sealHead({ state, marks, recent }: LoadedOrganization) {
    const { id, parentId, version, guard, head } = state;
    const sealed: SealedHead = {
      head,
      ...(parentId === undefined ? {} : { parentId }),
      guard,
      completeness: completenessOf(completenessKey(keys, id), marks),
      recent,
      level,
    };
    const body = codec.sealing.seal(headAddress(id, version), utf8(JSON.stringify(sealed)));
    return { organizationId: id, parentId, version, guard, head: body };
  }

  const writeNewInSteps: ChangeWriter['writeNewInSteps'] = ({ id, parentId, head, changes }) => {
    const state = newOrganizationState(id, parentId, head);
    return writeInSteps({ state, marks: new Map(), bytes: 0, recent: [] }, { ...changes, head });
  };
  return {
    write: (...written) => finish(writeInSteps(...written)),
    writeNew: (created) => finish(writeNewInSteps(created)),
    writeInSteps,
    writeNewInSteps,
  };
}

/** Returns true if the organization keeps its version. */
export function changesNothing({ head, records }: DraftChanges): boolean {
  return head === undefined && records.length === 0;
}

/** Returns the address of the sealed head of an organization. */
export function headAddress(organizationId: string, version: number): RecordAddress {
  return { organizationId, kind: 'organization', id: organizationId, version };
}

/** Refuses an organization without a row: rows of organizations are never removed. */
export function refuseMissing(organizationId: string): never {
  return refuseRecord(headAddress(organizationId, 0));
}

/** Returns the state of an organization that must have a row, such as the parent of another. */
export async function requiredState(
  load: (organizationId: string) => Promise<{ readonly state: OrganizationState | undefined }>,
  organizationId: string,
): Promise<OrganizationState> {
  return (await load(organizationId)).state ?? refuseMissing(organizationId);
}

/** Returns the mark of a sealed row. The head of an organization commits to the marks of its small state. */
export function markOf(record: Pick<StoredRecord, 'version' | 'body'>): string {
  return `${record.version}/${sealMark(record.body)}`;
}

/** A row of at least this length ends a step of sealing. */
const bytesOfPiece = 64 * 1024;

type EntryOfRecord = { readonly entry: IndexEntry; readonly recordId: string };

/** Returns blinded index entries, with a few in each step. */
function* blindEntries(
  entries: readonly EntryOfRecord[],
  organizationId: string,
  keys: RootKeys,
): Steps<readonly StoredLookup[]> {
  const counter = { steps: 0 };
  const lookups: StoredLookup[] = [];
  for (const { entry, recordId } of entries) {
    const { index, scope, value } = entry;
    const blind = keys.blind(index, scope, value);
    lookups.push({ index, blind, organizationId, recordId });
    if (endsStep(counter)) yield;
  }
  return lookups;
}

/** Collects index entries to write and to remove; an entry in both lists is left unchanged. */
function createEntryChanges() {
  const added: EntryOfRecord[] = [];
  const removed: EntryOfRecord[] = [];
  return {
    added,
    removed,
    remove: (entries: readonly IndexEntry[], recordId: string) => {
      for (const entry of entries) removed.push({ entry, recordId });
    },
    add: (entries: readonly IndexEntry[], recordId: string) => {
      for (const entry of entries) {
        const kept = removed.findIndex((e) => e.recordId === recordId && sameEntry(e.entry, entry));
        if (kept === -1) added.push({ entry, recordId });
        else removed.splice(kept, 1);
      }
    },
  };
}

function sameEntry(a: IndexEntry, b: IndexEntry): boolean {
  return a.index === b.index && a.scope === b.scope && a.value === b.value;
}
