// An organization at one version, and the draft in which an operation collects its changes.

import { assert } from '../errors/errors.ts';
import type { DraftChanges, RecordChange, Redelivery } from './changes.ts';
import { raisesGuard, smallKinds } from './kinds.ts';
import type {
  LargeKind,
  LargeRecords,
  OrganizationHead,
  RecordKind,
  SmallKind,
  SmallRecords,
} from './model.ts';

/** Small state of an organization at one version. Immutable. */
export type OrganizationState = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly version: number;
  /** The last version with a change that a decision to sign may depend on: see `kinds.ts`. */
  readonly guard: number;
  readonly head: OrganizationHead;
  readonly records: SmallState;
};

export type SmallState = {
  readonly [Kind in SmallKind]: ReadonlyMap<string, SmallRecords[Kind]>;
};

/** Read access to an organization: a state, or a draft with its own writes. */
export type OrganizationView = {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly head: OrganizationHead;
  get<Kind extends SmallKind>(kind: Kind, id: string): SmallRecords[Kind] | undefined;
  /** Returns all rows of a kind, oldest first. */
  list<Kind extends SmallKind>(kind: Kind): readonly SmallRecords[Kind][];
  /** Returns all rows of a kind by ID. The same map is returned until a row of the kind changes. */
  rows<Kind extends SmallKind>(kind: Kind): ReadonlyMap<string, SmallRecords[Kind]>;
};

/** A view with write access. The pipeline commits all its changes together. */
export type OrganizationDraft = OrganizationView & {
  setHead(changes: Partial<OrganizationHead>): void;
  put<Kind extends SmallKind>(kind: Kind, row: SmallRecords[Kind]): void;
  remove(kind: SmallKind, id: string): void;
  /** Adds a row of an unbounded kind. */
  add<Kind extends LargeKind>(kind: Kind, row: LargeRecords[Kind]): void;
  /** Removes a row of an unbounded kind; the row is needed for its index entries. */
  drop<Kind extends LargeKind>(kind: Kind, row: LargeRecords[Kind]): void;
  /** Restarts the delivery of events. */
  redeliver(range: Redelivery): void;
  /** Makes the commit fail if this token was claimed in the deployment before. */
  claim(tokenId: string): void;
  /** Records the use of this token, so that a later `claim` of it fails. Repeatable. */
  use(tokenId: string): void;
  /** Returns the changes so far. */
  changes(): DraftChanges;
};

/** States are immutable, and each is viewed many times. */
const views = new WeakMap<OrganizationState, OrganizationView>();

/** Returns read access to a state. */
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

/** Creates a draft of a state; the state does not change. */
export function createDraft(state: OrganizationState): OrganizationDraft {
  return new Draft(state);
}

const keyOf = (kind: RecordKind, id: string): string => `${kind}/${id}`;

/** A class, because each signature has a draft: an object of closures costs as much as its sealing. */
class Draft implements OrganizationDraft {
  readonly id: string;
  readonly parentId: string | undefined;
  head: OrganizationHead;
  readonly #state: OrganizationState;
  /** Created at the first write, because most drafts of signatures write nothing. */
  #written: Map<string, RecordChange> | undefined;
  #writtenKinds: Set<RecordKind> | undefined;
  /** Rows of a kind with its changes, kept until the kind changes again. Indexes are built from them. */
  #mergedRows: Map<RecordKind, ReadonlyMap<string, unknown>> | undefined;
  #redeliveries: readonly Redelivery[] = [];
  #claims: readonly string[] = [];
  #uses: readonly string[] = [];

  constructor(state: OrganizationState) {
    this.id = state.id;
    this.parentId = state.parentId;
    this.head = state.head;
    this.#state = state;
  }

  get<Kind extends SmallKind>(kind: Kind, id: string): SmallRecords[Kind] | undefined {
    const change = this.#changeOf(kind, id);
    return change === undefined
      ? this.#state.records[kind].get(id)
      : (change.after as SmallRecords[Kind] | undefined);
  }

  list<Kind extends SmallKind>(kind: Kind): readonly SmallRecords[Kind][] {
    return [...this.rows(kind).values()];
  }

  rows<Kind extends SmallKind>(kind: Kind): ReadonlyMap<string, SmallRecords[Kind]> {
    if (this.#written === undefined || this.#writtenKinds?.has(kind) !== true) {
      return this.#state.records[kind];
    }
    const known = this.#mergedRows?.get(kind);
    if (known !== undefined) return known as ReadonlyMap<string, SmallRecords[Kind]>;
    const merged = new Map<string, SmallRecords[Kind]>(this.#state.records[kind]);
    for (const { kind: written, id, after } of this.#written.values()) {
      if (written !== kind) continue;
      if (after === undefined) merged.delete(id);
      else merged.set(id, after as SmallRecords[Kind]);
    }
    this.#mergedRows ??= new Map();
    this.#mergedRows.set(kind, merged);
    return merged;
  }

  setHead(changes: Partial<OrganizationHead>): void {
    this.head = Object.freeze({ ...this.head, ...changes });
  }

  put<Kind extends SmallKind>(kind: Kind, row: SmallRecords[Kind]): void {
    const before = this.#state.records[kind].get(row.id);
    this.#write({ kind, id: row.id, before, after: row });
  }

  remove(kind: SmallKind, id: string): void {
    assert(this.get(kind, id) !== undefined, `removed ${kind} exists`);
    this.#write({ kind, id, before: this.#state.records[kind].get(id), after: undefined });
  }

  add<Kind extends LargeKind>(kind: Kind, row: LargeRecords[Kind]): void {
    this.#write({ kind, id: row.id, before: undefined, after: row });
  }

  drop<Kind extends LargeKind>(kind: Kind, row: LargeRecords[Kind]): void {
    this.#write({ kind, id: row.id, before: row, after: undefined });
  }

  redeliver(range: Redelivery): void {
    this.#redeliveries = [...this.#redeliveries, range];
  }

  claim(tokenId: string): void {
    this.#claims = [...this.#claims, tokenId];
  }

  use(tokenId: string): void {
    if (!this.#uses.includes(tokenId)) this.#uses = [...this.#uses, tokenId];
  }

  changes(): DraftChanges {
    const head = this.head === this.#state.head ? undefined : this.head;
    const records =
      this.#written === undefined
        ? noRecords
        : [...this.#written.values()].filter(
            ({ before, after }) => before !== undefined || after !== undefined,
          );
    const changes: Mutable<DraftChanges> = { head, records };
    if (this.#redeliveries.length > 0) changes.redeliveries = this.#redeliveries;
    if (this.#claims.length > 0) changes.claims = this.#claims;
    if (this.#uses.length > 0) changes.uses = this.#uses;
    return changes;
  }

  #changeOf(kind: RecordKind, id: string): RecordChange | undefined {
    return this.#written?.get(keyOf(kind, id));
  }

  #write(change: RecordChange): void {
    const earlier = this.#changeOf(change.kind, change.id);
    this.#written ??= new Map();
    this.#written.set(keyOf(change.kind, change.id), {
      ...change,
      before: (earlier ?? change).before,
    });
    this.#writtenKinds ??= new Set();
    this.#writtenKinds.add(change.kind);
    this.#mergedRows?.delete(change.kind);
  }
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
const noRecords: readonly RecordChange[] = Object.freeze([]);

/** Returns the state after a draft's changes were committed as `version`. */
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
    // Another enclave, or one with a slower clock, may have created greater IDs.
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

/** Returns an organization before its first commit, which sets its head: version 0 without rows. */
export function newOrganizationState(
  id: string,
  parentId: string | undefined,
  head: OrganizationHead,
): OrganizationState {
  return { id, parentId, version: 0, guard: 0, head, records: emptySmallState() };
}

/** Returns small state without rows. */
export function emptySmallState(): SmallState {
  const entries = smallKinds.map((kind) => [kind, new Map()] as const);
  return Object.fromEntries(entries) as unknown as SmallState;
}
