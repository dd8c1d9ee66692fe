// An organization at one version, and the draft in which an operation writes what changes.

import { assert } from '../errors/errors.ts';
import type { DraftChanges, RecordChange, Redelivery } from './changes.ts';
import { raisesGuard } from './guard.ts';
import type {
  LargeKind,
  LargeRecords,
  OrganizationHead,
  RecordKind,
  SmallKind,
  SmallRecords,
} from './model.ts';
import { smallKinds } from './model.ts';

/** Small state of an organization at one version; nothing in it changes. */
export type OrganizationState = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly version: number;
  /** The last version in which something changed that a decision to sign may rest on: see `guard.ts`. */
  readonly guard: number;
  readonly head: OrganizationHead;
  readonly records: SmallState;
};

export type SmallState = {
  readonly [Kind in SmallKind]: ReadonlyMap<string, SmallRecords[Kind]>;
};

/** The readable side of an organization: a state, or a draft with its own writes on top. */
export type OrganizationView = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly head: OrganizationHead;
  get<Kind extends SmallKind>(kind: Kind, id: string): SmallRecords[Kind] | undefined;
  /** All rows of a kind, oldest first. */
  list<Kind extends SmallKind>(kind: Kind): readonly SmallRecords[Kind][];
  /** The same by id. As long as nothing of the kind changes it is one and the same map. */
  rows<Kind extends SmallKind>(kind: Kind): ReadonlyMap<string, SmallRecords[Kind]>;
};

/** A view that takes writes. Nothing leaves it until the pipeline commits the whole. */
export type OrganizationDraft = OrganizationView & {
  setHead(changes: Partial<OrganizationHead>): void;
  put<Kind extends SmallKind>(kind: Kind, row: SmallRecords[Kind]): void;
  remove(kind: SmallKind, id: string): void;
  /** Adds a row of an unbounded kind. */
  add<Kind extends LargeKind>(kind: Kind, row: LargeRecords[Kind]): void;
  /** Removes a row of an unbounded kind; the row is needed for its index entries. */
  drop<Kind extends LargeKind>(kind: Kind, row: LargeRecords[Kind]): void;
  /** Lets the delivery of events start over. */
  redeliver(range: Redelivery): void;
  /** The commit fails where anything in the deployment has claimed this token before. */
  claim(tokenId: string): void;
  /** Notes that this token was used, which may be so already: a later `claim` of it fails. */
  use(tokenId: string): void;
  /** Returns the changes so far. */
  changes(): DraftChanges;
};

/** States never change, and each is looked at many times. */
const views = new WeakMap<OrganizationState, OrganizationView>();

/** The readable view of a state. */
export function viewOf(state: OrganizationState): OrganizationView {
  return views.getOrInsertComputed(state, newView);
}

function newView(state: OrganizationState): OrganizationView {
  return {
    id: state.id,
    parentId: state.parentId,
    head: state.head,
    get: (kind, id) => state.records[kind].get(id),
    list: (kind) => [...state.records[kind].values()],
    rows: (kind) => state.records[kind],
  };
}

/** A draft on top of a state; the state is never touched. */
export function createDraft(state: OrganizationState): OrganizationDraft {
  let head = state.head;
  const written = new Map<string, RecordChange>();
  const redeliveries: Redelivery[] = [];
  const claims: string[] = [];
  const uses = new Set<string>();
  /** Changed rows with the others, until one of the kind changes again: indexes are made of them. */
  const mergedRows = new Map<RecordKind, ReadonlyMap<string, unknown>>();
  const keyOf = (kind: RecordKind, id: string) => `${kind}/${id}`;

  function write(change: RecordChange): void {
    const key = keyOf(change.kind, change.id);
    const earlier = written.get(key);
    written.set(key, { ...change, before: (earlier ?? change).before });
    mergedRows.delete(change.kind);
  }
  function get<Kind extends SmallKind>(kind: Kind, id: string): SmallRecords[Kind] | undefined {
    const change = written.get(keyOf(kind, id));
    return change === undefined
      ? state.records[kind].get(id)
      : (change.after as SmallRecords[Kind] | undefined);
  }

  function rows<Kind extends SmallKind>(kind: Kind): ReadonlyMap<string, SmallRecords[Kind]> {
    const known = mergedRows.get(kind);
    if (known !== undefined) return known as ReadonlyMap<string, SmallRecords[Kind]>;
    const changed = [...written.values()].filter((change) => change.kind === kind);
    if (changed.length === 0) return state.records[kind];
    const merged = new Map<string, SmallRecords[Kind]>(state.records[kind]);
    for (const { id, after } of changed) {
      if (after === undefined) merged.delete(id);
      else merged.set(id, after as SmallRecords[Kind]);
    }
    mergedRows.set(kind, merged);
    return merged;
  }

  return {
    id: state.id,
    parentId: state.parentId,
    get head() {
      return head;
    },
    get,
    list: (kind) => [...rows(kind).values()],
    rows,
    setHead: (changes) => {
      head = Object.freeze({ ...head, ...changes });
    },
    put: (kind, row) => {
      const before = state.records[kind].get(row.id);
      write({ kind, id: row.id, before, after: row });
    },
    remove: (kind, id) => {
      assert(get(kind, id) !== undefined, `removed ${kind} exists`);
      write({ kind, id, before: state.records[kind].get(id), after: undefined });
    },
    add: (kind, row) => {
      write({ kind, id: row.id, before: undefined, after: row });
    },
    drop: (kind, row) => {
      write({ kind, id: row.id, before: row, after: undefined });
    },
    redeliver: (range) => {
      redeliveries.push(range);
    },
    claim: (tokenId) => {
      claims.push(tokenId);
    },
    use: (tokenId) => {
      uses.add(tokenId);
    },
    changes: () => ({
      head: head === state.head ? undefined : head,
      records: [...written.values()].filter(
        (change) => change.before !== undefined || change.after !== undefined,
      ),
      ...(redeliveries.length === 0 ? {} : { redeliveries }),
      ...(claims.length === 0 ? {} : { claims }),
      ...(uses.size === 0 ? {} : { uses: [...uses] }),
    }),
  };
}

/** The state after a draft's changes were committed as `version`. */
export function stateAfter(
  state: OrganizationState,
  changes: DraftChanges,
  version: number,
): OrganizationState {
  const records: Record<SmallKind, ReadonlyMap<string, SmallRecords[SmallKind]>> = {
    ...state.records,
  };
  for (const kind of smallKinds) {
    const ofKind = changes.records.filter((change) => change.kind === kind);
    if (ofKind.length === 0) continue;
    const rows = new Map<string, SmallRecords[SmallKind]>(records[kind]);
    for (const { id, after } of ofKind) {
      if (after === undefined) rows.delete(id);
      else rows.set(id, after as SmallRecords[SmallKind]);
    }
    // Another enclave, or one with an earlier clock, may have made greater ids than ours.
    records[kind] = new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return {
    ...state,
    version,
    guard: raisesGuard(changes) ? version : state.guard,
    head: changes.head ?? state.head,
    records: records as SmallState,
  };
}

/** An organization before its first commit: version 0, no rows. The first commit brings its head. */
export function newOrganizationState(
  id: string,
  parentId: string | undefined,
  head: OrganizationHead,
): OrganizationState {
  return { id, parentId, version: 0, guard: 0, head, records: emptySmallState() };
}

/** Small state without any row. */
export function emptySmallState(): SmallState {
  const entries = smallKinds.map((kind) => [kind, new Map()] as const);
  return Object.fromEntries(entries) as unknown as SmallState;
}
