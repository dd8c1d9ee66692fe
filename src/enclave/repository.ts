// Organizations, records and activities as verified values over a store that nobody trusts: what
// comes back is opened for exactly the place it was asked for, and an organization's small state is
// complete or refused.

import { base64url, equalBytes, utf8 } from '../core/bytes.ts';
import { type IndexEntry, indexEntriesOfHead, indexEntriesOfRecord } from '../core/indexes.ts';
import type {
  OrganizationHead,
  RecordKind,
  Records,
  SmallKind,
  SmallRecords,
  Wallet,
  WalletAccount,
} from '../core/model.ts';
import { smallKinds } from '../core/model.ts';
import {
  type DraftChanges,
  emptySmallState,
  type OrganizationState,
  stateAfter,
} from '../core/organization.ts';
import type { Page, Reader } from '../operations/operation.ts';
import type { Fingerprint, NewOrganization, Proposal, Repository } from '../pipeline/ports.ts';
import type {
  OrganizationAnswer,
  PageRequest,
  StoreChange,
  StoredActivity,
  StoredLookup,
  StoredRecord,
  StorePort,
} from '../store/port.ts';
import { completenessOf, type SealMarks } from './completeness.ts';
import { openJson, type RecordCodec, refused } from './record_codec.ts';
import type { RootKeys } from './root_keys.ts';
import { sealMark } from './sealing.ts';

/** Organizations whose verified state stays in memory. */
const maximumCachedOrganizations = 10_000;
/** Rows that one look-up may bring; the same address in more wallets than this is cut off. */
const maximumLookupRows = 100;

type Loaded = { readonly state: OrganizationState; readonly marks: SealMarks };

type SealedHead = { readonly head: OrganizationHead; readonly completeness: string };

/** The repository of one enclave. */
export function createRepository(ports: {
  store: StorePort;
  codec: RecordCodec;
  keys: RootKeys;
}): Repository & { start(founding: Founding): Promise<'committed' | 'conflict'> } {
  const { store, codec, keys } = ports;
  const cache = new Map<string, Loaded>();

  function remember(loaded: Loaded): void {
    const { id } = loaded.state;
    const known = cache.get(id);
    if (known !== undefined && known.state.version > loaded.state.version) return;
    cache.delete(id);
    cache.set(id, loaded);
    if (cache.size <= maximumCachedOrganizations) return;
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }

  async function organization(organizationId: string, fingerprint?: Fingerprint) {
    const known = cache.get(organizationId);
    const wanted =
      fingerprint === undefined
        ? undefined
        : {
            bucket: fingerprint.bucket,
            fingerprint: blindFingerprint(organizationId, fingerprint.digest),
          };
    const answer = await store.organization({
      organizationId,
      kinds: smallKinds,
      knownVersion: known?.state.version ?? 0,
      fingerprint: wanted,
    });
    const loaded = verify(organizationId, known, answer);
    if (loaded !== undefined) remember(loaded);
    const row = answer.activity;
    if (row === undefined || wanted === undefined) {
      return { state: loaded?.state, activity: undefined };
    }
    const activity = codec.openActivity(organizationId, row);
    if (row.bucket !== wanted.bucket || !equalBytes(row.fingerprint, wanted.fingerprint)) {
      refused({ organizationId, kind: 'activity', id: row.id, version: row.version });
    }
    return { state: loaded?.state, activity };
  }

  function verify(
    organizationId: string,
    known: Loaded | undefined,
    answer: OrganizationAnswer,
  ): Loaded | undefined {
    if (answer.version === undefined) return undefined;
    const row = answer.organization;
    if (row === undefined) {
      if (known?.state.version === answer.version) return known;
      return refused(headPlace(organizationId, answer.version));
    }
    const place = headPlace(organizationId, row.version);
    // A version below one that this enclave has seen is an old state put back.
    if (row.organizationId !== organizationId || row.version < (known?.state.version ?? 1)) {
      refused(place);
    }
    const { head, completeness, parentId } = openJson<SealedHead & { parentId?: string }>(
      codec.sealing,
      place,
      row.head,
    );
    if (parentId !== row.parentId) refused(place);
    const records = emptySmallState() as {
      [Kind in SmallKind]: Map<string, SmallRecords[Kind]>;
    };
    const marks = new Map<string, string>();
    for (const record of answer.records) {
      const rows: Map<string, Records[RecordKind]> | undefined = records[record.kind as SmallKind];
      if (rows === undefined || rows.has(record.id)) refused({ ...record, organizationId });
      rows?.set(record.id, codec.openRecord(organizationId, record));
      marks.set(`${record.kind}/${record.id}`, `${record.version}/${sealMark(record.body)}`);
    }
    if (completenessOf(keys, organizationId, marks) !== completeness) refused(place);
    const state = { id: organizationId, parentId: row.parentId, version: row.version, head };
    return { state: { ...state, records }, marks };
  }

  function blindFingerprint(organizationId: string, digest: Uint8Array): Uint8Array {
    return keys.blind('fingerprint', organizationId, base64url(digest));
  }

  function storedLookup(entry: IndexEntry, organizationId: string, recordId: string): StoredLookup {
    const { index, scope, value } = entry;
    return { index, blind: keys.blind(index, scope, value), organizationId, recordId };
  }

  /** The rows that make one organization's changes durable, and its state and marks after them. */
  function write(
    before: Loaded,
    changes: DraftChanges,
    parentId: string | undefined,
  ): { change: StoreChange; after: Loaded } {
    const { state } = before;
    const changed = changes.head !== undefined || changes.records.length > 0;
    const version = changed ? state.version + 1 : state.version;
    const owner = { organizationId: state.id, parentId };
    const after = changed ? stateAfter(state, changes, version) : state;
    const marks = new Map(before.marks);
    const records: StoredRecord[] = [];
    const deletedRecords: { organizationId: string; kind: string; id: string }[] = [];
    const lookups = new LookupChanges();
    for (const { kind, id, before: old, after: row } of changes.records) {
      if (old !== undefined) lookups.remove(indexEntriesOfRecord(kind, old, owner), id);
      const isSmall = (smallKinds as readonly string[]).includes(kind);
      if (row === undefined) {
        deletedRecords.push({ organizationId: state.id, kind, id });
        marks.delete(`${kind}/${id}`);
        continue;
      }
      lookups.add(indexEntriesOfRecord(kind, row, owner), id);
      const sealed = codec.sealRecord(state.id, kind, row, version);
      records.push(sealed);
      if (isSmall) marks.set(`${kind}/${id}`, `${version}/${sealMark(sealed.body)}`);
    }
    if (changes.head !== undefined || state.version === 0) {
      if (state.version > 0) lookups.remove(indexEntriesOfHead(state.head, owner), state.id);
      lookups.add(indexEntriesOfHead(after.head, owner), state.id);
    }
    const sealedHead: SealedHead & { parentId?: string } = {
      head: after.head,
      completeness: completenessOf(keys, state.id, marks),
      ...(parentId === undefined ? {} : { parentId }),
    };
    const head = () =>
      codec.sealing.seal(headPlace(state.id, version), utf8(JSON.stringify(sealedHead)));
    return {
      after: { state: after, marks },
      change: {
        conditions: [],
        organizations: changed
          ? [{ organizationId: state.id, parentId, version, head: head() }]
          : [],
        records,
        deletedRecords,
        lookups: lookups.added.map((e) => storedLookup(e.entry, state.id, e.recordId)),
        deletedLookups: lookups.removed.map((e) => storedLookup(e.entry, state.id, e.recordId)),
        activities: [],
        deployment: undefined,
      },
    };
  }

  function writeNew(created: NewOrganization) {
    const { id, parentId, head, changes } = created;
    const state = { id, parentId, version: 0, head, records: emptySmallState() };
    return write({ state, marks: new Map() }, { ...changes, head }, parentId);
  }

  async function commit(proposal: Proposal) {
    const { state, changes, activity, fingerprint, children } = proposal;
    const known = cache.get(state.id);
    // The state decided on left the cache, or a newer one came in: decide again on what is there.
    if (known === undefined || known.state !== state) return 'conflict';
    const own = write(known, changes, state.parentId);
    const created = children.map(writeNew);
    const parts = [own, ...created].map((part) => part.change);
    const outcome = await store.commit({
      conditions: [{ organizationId: state.id, version: state.version }],
      organizations: parts.flatMap((part) => part.organizations),
      records: parts.flatMap((part) => part.records),
      deletedRecords: parts.flatMap((part) => part.deletedRecords),
      lookups: parts.flatMap((part) => part.lookups),
      deletedLookups: parts.flatMap((part) => part.deletedLookups),
      activities: [
        codec.sealActivity(activity, {
          bucket: fingerprint.bucket,
          fingerprint: blindFingerprint(state.id, fingerprint.digest),
        }),
      ],
      deployment: undefined,
    });
    if (outcome === 'committed') {
      if (own.after.state.version > state.version) remember(own.after);
      for (const { after } of created) remember(after);
    }
    return outcome;
  }

  function reader(state: OrganizationState): Reader {
    const organizationId = state.id;
    const open = (row: StoredRecord) =>
      openAccount(state, codec.openRecord(organizationId, row) as WalletAccount);
    const present = (account: WalletAccount | undefined) => account !== undefined;

    async function walletAccounts(ids: readonly string[]): Promise<WalletAccount[]> {
      if (ids.length === 0) return [];
      const rows = await store.records({ organizationId, kind: 'wallet_account', ids });
      return rows
        .filter((row) => ids.includes(row.id))
        .map(open)
        .filter(present);
    }
    async function walletAccountsBy(
      index: 'account_address' | 'account_name',
      value: string,
    ): Promise<readonly WalletAccount[]> {
      const blind = keys.blind(index, organizationId, value);
      const found = await store.lookup({ index, blind, limit: maximumLookupRows });
      const accounts = await walletAccounts(found.map((entry) => entry.recordId));
      // An entry is only a hint: the record itself says whether it holds the value.
      const member = index === 'account_address' ? 'address' : 'name';
      return accounts
        .filter((account) => account[member] === value)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    }

    return {
      walletAccountsByAddress: (address) => walletAccountsBy('account_address', address),
      walletAccountsByName: (name) => walletAccountsBy('account_name', name),
      walletAccounts,
      walletAccountPage: (walletId, page) =>
        pageOf(page, 'ascending', (request) =>
          store.recordPage({
            organizationId,
            kind: 'wallet_account',
            groupId: walletId,
            page: request,
          }),
        ).then((rows) =>
          rows
            .map(open)
            .filter(present)
            .filter((account) => walletId === undefined || account.walletId === walletId),
        ),
      activity: async (id) => {
        const row = await store.activity({ organizationId, id });
        if (row === undefined) return undefined;
        if (row.id !== id) refused({ organizationId, kind: 'activity', id, version: row.version });
        return codec.openActivity(organizationId, row);
      },
      activityPage: (filter, page) =>
        pageOf(page, 'descending', (request) =>
          store.activityPage({ organizationId, ...filter, page: request }),
        ).then((rows: readonly StoredActivity[]) =>
          rows
            .map((row) => codec.openActivity(organizationId, row))
            .filter(
              (activity) =>
                (filter.statuses.length === 0 || filter.statuses.includes(activity.status)) &&
                (filter.types.length === 0 || filter.types.includes(activity.type)),
            ),
        ),
      childPage: (filter, page) => childPage(organizationId, filter, page),
    };
  }

  /** Living children in id order: all of them, or those that a value leads to. */
  async function childPage(
    parentId: string,
    filter: Parameters<Reader['childPage']>[0],
    page: Page,
  ): Promise<readonly string[]> {
    if (filter !== undefined) {
      const blind = keys.blind(filter.index, parentId, filter.value);
      const limit = maximumFilteredChildren;
      const found = await store.lookup({ index: filter.index, blind, limit });
      const ids = [...new Set(found.map((entry) => entry.organizationId))].sort();
      const { after, before } = page;
      const inRange = ids.filter(
        (id) => (after === undefined || id > after) && (before === undefined || id < before),
      );
      const cut = before === undefined ? inRange.slice(0, page.limit) : inRange.slice(-page.limit);
      return livingChildren(parentId, cut);
    }
    const ids = await pageOf(page, 'ascending', (request) =>
      store.children({ parentId, page: request }),
    );
    return livingChildren(parentId, ids);
  }

  async function livingChildren(parentId: string, ids: readonly string[]): Promise<string[]> {
    const states = await Promise.all(ids.map(async (id) => (await organization(id)).state));
    return states
      .filter((state) => state !== undefined)
      .filter((state) => state.parentId === parentId && state.head.deletedAtMs === undefined)
      .map((state) => state.id);
  }

  return {
    organization,
    reader,
    commit,
    childrenWithPublicKey: async (parentId, publicKeyHex) => {
      const filter = { index: 'child_public_key', value: publicKeyHex } as const;
      return childPage(parentId, filter, { limit: 2, before: undefined, after: undefined });
    },
    start: async ({ organization: created, deployment }) => {
      const { change, after } = writeNew(created);
      const outcome = await store.commit({ ...change, deployment });
      if (outcome === 'duplicate') return 'conflict';
      if (outcome === 'committed') remember(after);
      return outcome;
    },
  };
}

/** The first organization of a database, together with the record of the deployment. */
export type Founding = { readonly organization: NewOrganization; readonly deployment: Uint8Array };

/** A filter that leads to more children than this shows only the first of them. */
const maximumFilteredChildren = 1000;

class LookupChanges {
  readonly added: { entry: IndexEntry; recordId: string }[] = [];
  readonly removed: { entry: IndexEntry; recordId: string }[] = [];

  add(entries: readonly IndexEntry[], recordId: string): void {
    for (const entry of entries) {
      const removed = this.removed.findIndex((e) => same(e, entry, recordId));
      if (removed === -1) this.added.push({ entry, recordId });
      else this.removed.splice(removed, 1);
    }
  }

  remove(entries: readonly IndexEntry[], recordId: string): void {
    for (const entry of entries) this.removed.push({ entry, recordId });
  }
}

function same(
  known: { entry: IndexEntry; recordId: string },
  entry: IndexEntry,
  recordId: string,
): boolean {
  return (
    known.recordId === recordId &&
    known.entry.index === entry.index &&
    known.entry.scope === entry.scope &&
    known.entry.value === entry.value
  );
}

/** An account counts only while its wallet lives and has not deleted it. */
function openAccount(state: OrganizationState, account: WalletAccount): WalletAccount | undefined {
  const wallet: Wallet | undefined = state.records.wallet.get(account.walletId);
  if (wallet === undefined || wallet.deletedAccountIds.includes(account.id)) return undefined;
  return account;
}

/**
 * A page in list order. `after` and `before` are exclusive ids in that order; with `before` alone the
 * page is the one that ends just before it.
 */
async function pageOf<Row>(
  page: Page,
  order: 'ascending' | 'descending',
  read: (request: PageRequest) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const ascending = order === 'ascending';
  const fromEnd = page.before !== undefined && page.after === undefined;
  const rows = await read({
    greaterThan: ascending ? page.after : page.before,
    lessThan: ascending ? page.before : page.after,
    ascending: ascending !== fromEnd,
    limit: page.limit,
  });
  return fromEnd ? rows.toReversed() : rows;
}

function headPlace(organizationId: string, version: number) {
  return { organizationId, kind: 'organization', id: organizationId, version };
}
