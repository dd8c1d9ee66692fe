// Verified reads beyond small state.

import { createRecentCache } from '../../core/base/lru_cache.ts';
import { textDigest } from '../../core/contracts/contract_interfaces.ts';
import { accountPathValue, type IndexName } from '../../core/organization/indexes.ts';
import type {
  ContractInterface,
  LargeRecords,
  SecretText,
  SmallKind,
  WalletAccount,
} from '../../core/organization/model.ts';
import type { Activity } from '../../core/organization/records/activity.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredActivity, StoredRecord, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { createChildren } from './children.ts';
import { vouchesFor } from './completeness.ts';
import { createEventReader } from './event_reader.ts';
import { checkPage, pageOf } from './pages.ts';
import {
  isUnavailable,
  type RecordCodec,
  refuseRecord,
  unknownId,
  withLocation,
} from './record_codec.ts';

/** Rows that one look-up may bring; an address that sits in more wallets than this is cut off. */
const maximumLookupRows = 100;
/** Reads after which a row counts as withheld whose state moves on each time. */
const maximumReads = 20;
/** Accounts found by address stay in memory until their organization changes. */
const maximumCachedAddresses = 50_000;
/** Texts of contract interfaces that stay in memory, of at most 400,000 characters each. */
const maximumCachedInterfaces = 64;

/** Makes the reader of one organization at one version. */
export function createReaders(ports: {
  store: StorePort;
  codec: RecordCodec;
  keys: RootKeys;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
}): (state: OrganizationState) => Reader {
  const { codec, keys, organization } = ports;
  const store = accountable(ports.store);
  const events = createEventReader({ store, codec });
  const accountsByAddress = createRecentCache<readonly WalletAccount[]>(maximumCachedAddresses);
  const interfaceTexts = createRecentCache<string>(maximumCachedInterfaces);
  const children = createChildren({
    store,
    keys,
    organization,
    accountsIn: (child, address) => readerOf(child).walletAccountsByAddress(address),
  });

  function readerOf(state: OrganizationState): Reader {
    const organizationId = state.id;

    /** The state may be a moment older than the row: then what is true is asked for again. */
    async function activity(id: string): Promise<Activity | undefined> {
      let vouching: OrganizationState | undefined = state;
      let version = 0;
      for (let reads = 0; reads < maximumReads && vouching !== undefined; reads += 1) {
        const row = await store.activity({ organizationId, id });
        version = row?.version ?? 0;
        if (row === undefined) {
          if (!vouching.records.open_activity.has(id)) return undefined;
        } else {
          if (row.id !== id) refuseRecord({ organizationId, kind: 'activity', id, version });
          const found = codec.openActivity(organizationId, row);
          if (vouchesFor(vouching, found)) return found;
        }
        vouching = (await organization(organizationId)).state;
      }
      return refuseRecord({ organizationId, kind: 'activity', id, version });
    }

    function openAccounts(rows: readonly StoredRecord[]): WalletAccount[] {
      return rows
        .map((row) => {
          if (row.kind !== 'wallet_account') refuseRecord({ ...row, organizationId });
          return codec.openRecord(organizationId, row) as LargeRecords['wallet_account'];
        })
        .filter((account) => isLiving(state, account));
    }
    /**
     * Rows of a large kind that small records have under their own ids, as long as these are there:
     * one that is withheld is refused.
     */
    async function rowsBeside<Kind extends 'contract_interface_text' | 'secret_text'>(
      kind: Kind,
      beside: SmallKind,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, { record: LargeRecords[Kind]; place: RecordAddress }>> {
      const found = new Map<string, { record: LargeRecords[Kind]; place: RecordAddress }>();
      if (ids.length === 0) return found;
      const rows = await store.records({ organizationId, kind, ids });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const id of ids) {
        const row = byId.get(id);
        if (row === undefined) {
          const now = (await organization(organizationId)).state;
          if (now?.records[beside].has(id) !== false) {
            refuseRecord({ organizationId, kind, id, version: 0 });
          }
          continue;
        }
        const place = { ...row, organizationId };
        if (row.kind !== kind) refuseRecord(place);
        const record = codec.openRecord(organizationId, row) as LargeRecords[Kind];
        found.set(id, { record, place });
      }
      return found;
    }
    async function contractInterfaceTexts(
      interfaces: readonly ContractInterface[],
    ): Promise<ReadonlyMap<string, string>> {
      // The text of an interface never changes; its id and digest are those of this state.
      const nameOf = ({ id, digest }: ContractInterface) => `${organizationId}/${id}/${digest}`;
      const texts = new Map<string, string>();
      const unread = interfaces.filter((each) => {
        const known = interfaceTexts.get(nameOf(each));
        if (known !== undefined) texts.set(each.id, known);
        return known === undefined;
      });
      const ids = unread.map(({ id }) => id);
      const rows = await rowsBeside('contract_interface_text', 'contract_interface', ids);
      for (const each of unread) {
        const row = rows.get(each.id);
        if (row === undefined) continue;
        const { text } = row.record;
        if (textDigest(text) !== each.digest) refuseRecord(row.place);
        interfaceTexts.set(nameOf(each), text);
        texts.set(each.id, text);
      }
      return texts;
    }
    async function secretTexts(ids: readonly string[]): Promise<ReadonlyMap<string, SecretText>> {
      const rows = await rowsBeside('secret_text', 'secret', ids);
      return new Map([...rows].map(([id, { record }]) => [id, record]));
    }
    async function walletAccounts(ids: readonly string[]): Promise<readonly WalletAccount[]> {
      if (ids.length === 0) return [];
      const rows = await store.records({ organizationId, kind: 'wallet_account', ids });
      const asked = new Set(ids);
      const byId = new Map(rows.filter((row) => asked.has(row.id)).map((row) => [row.id, row]));
      return openAccounts([...byId.values()]);
    }
    /** An entry is only a hint: the account itself says whether it holds the value. */
    async function accountsBy(
      index: IndexName,
      value: string,
      holds: (account: WalletAccount) => boolean,
    ): Promise<readonly WalletAccount[]> {
      const blind = keys.blind(index, organizationId, value);
      const found = await store.lookup({ index, blind, limit: maximumLookupRows });
      const accounts = await walletAccounts(found.map((entry) => entry.recordId));
      return accounts.filter(holds).sort((a, b) => (a.id < b.id ? -1 : 1));
    }

    return {
      walletAccountsByAddress: async (address) => {
        const name = `${organizationId}/${state.version}/${address}`;
        const cached = accountsByAddress.get(name);
        if (cached !== undefined) return cached;
        const accounts = await accountsBy(
          'account_address',
          address,
          (account) => account.address === address,
        );
        if (accounts.length > 0) accountsByAddress.set(name, accounts);
        return accounts;
      },
      walletAccountsByName: (wanted) =>
        accountsBy('account_name', wanted, ({ name }) => name === wanted),
      walletAccountsByPath: (walletId, path) =>
        accountsBy(
          'account_path',
          accountPathValue({ walletId, path }),
          (account) => account.walletId === walletId && account.path === path,
        ),
      walletAccounts,
      contractInterfaceTexts,
      secretTexts,
      walletAccountPage: async (walletId, page) => {
        const rows = await pageOf(page, 'ascending', (request) =>
          store.recordPage({
            organizationId,
            kind: 'wallet_account',
            groupId: walletId,
            page: request,
          }),
        );
        checkPage(rows, page, 'ascending', (row) => ({ ...row, organizationId }));
        return openAccounts(rows).filter(
          (account) => walletId === undefined || account.walletId === walletId,
        );
      },
      activity,
      votedActivity: async (fingerprint) => {
        const blind = keys.blind('activity_fingerprint', organizationId, fingerprint);
        const limit = maximumLookupRows;
        const found = await store.lookup({ index: 'activity_fingerprint', blind, limit });
        for (const entry of found) {
          if (entry.organizationId !== organizationId) continue;
          const voted = await activity(entry.recordId);
          // An entry is only a hint: the activity itself says which body it answers.
          if (voted?.fingerprint === fingerprint) return voted;
        }
        return undefined;
      },
      policySet: async (id) => {
        const kind = 'policy_set';
        const rows = await store.records({ organizationId, kind, ids: [id] });
        const row = rows.find((each) => each.id === id);
        // Sealed heads and activities name sets, and no set is ever deleted.
        if (row === undefined) refuseRecord({ organizationId, kind, id, version: 0 });
        if (row.kind !== kind) refuseRecord({ ...row, organizationId });
        return codec.openRecord(organizationId, row) as LargeRecords['policy_set'];
      },
      webhookDeliveries: async (endpointId, wanted) => {
        const isPage = 'after' in wanted;
        const limit = isPage ? wanted.limit : maximumLookupRows;
        const after = isPage ? wanted.after : 0;
        const eventIds = isPage ? [] : wanted.eventIds;
        const page = await store.deliveryPage({ endpointId, after, limit, eventIds });
        let previous = after;
        const inOrder = page.deliveries.slice(0, limit).filter(({ sequence }) => {
          const isNext = sequence > previous;
          if (isNext) previous = sequence;
          return isNext;
        });
        const deliveries = await Promise.all(
          inOrder.map(async (stored) => {
            const asked = { ...stored, endpointId, organizationId };
            const event = events.open(asked);
            return {
              ...stored,
              eventType: event.type,
              organizationId: event.organizationId,
              activityId: event.activity?.id,
              attempts: page.attempts.filter(({ sequence }) => sequence === stored.sequence),
              body: isPage && wanted.withBodies === true ? await events.bodyOf(event) : undefined,
            };
          }),
        );
        return { lastSequence: page.lastSequence, deliveries };
      },
      activityPage: async (filter, page) => {
        const rows = await pageOf(page, 'descending', (request) =>
          store.activityPage({ organizationId, ...filter, page: request }),
        );
        const placeOf = ({ id, version }: StoredActivity): RecordAddress => ({
          organizationId,
          kind: 'activity',
          id,
          version,
        });
        checkPage(rows, page, 'descending', placeOf);
        return Promise.all(
          rows.map(async (row) => {
            const found = codec.openActivity(organizationId, row);
            const { statuses, types } = filter;
            const isAsked =
              (statuses.length === 0 || statuses.includes(found.status)) &&
              (types.length === 0 || types.includes(found.type));
            if (!isAsked) refuseRecord(placeOf(row));
            if (vouchesFor(state, found)) return found;
            // It was voted on since: what it is by now, even where the filter would not list it.
            return (await activity(row.id)) ?? refuseRecord(placeOf(row));
          }),
        );
      },
      childPage: (filter, page) => children.childPage(organizationId, filter, page),
      childrenWith: (filter) => children.childrenWith(organizationId, filter),
    };
  }

  return readerOf;
}

/** The reads of a store; where it fails over a row, what was asked for is refused by name. */
function accountable(store: StorePort): Omit<StorePort, 'deployment' | 'organization' | 'commit'> {
  return {
    deliveryPage: (request) =>
      withLocation({ organizationId: '', kind: 'webhook_event', id: unknownId }, () =>
        store.deliveryPage(request),
      ),
    // Entries and children have nothing but texts and bytes, which can always be told.
    lookup: store.lookup,
    lookups: store.lookups,
    children: store.children,
    records: async (request) => {
      const { organizationId, kind, ids } = request;
      const [id = unknownId, second] = ids;
      if (second === undefined) {
        return withLocation({ organizationId, kind, id }, () => store.records(request));
      }
      try {
        return await store.records(request);
      } catch (failure) {
        if (isUnavailable(failure)) throw failure;
        // One by one, the row itself is named.
        for (const each of ids) {
          await withLocation({ organizationId, kind, id: each }, () =>
            store.records({ ...request, ids: [each] }),
          );
        }
        throw failure;
      }
    },
    recordPage: (request) =>
      withLocation({ ...request, id: unknownId }, () => store.recordPage(request)),
    activity: (request) =>
      withLocation({ ...request, kind: 'activity' }, () => store.activity(request)),
    activityPage: (request) =>
      withLocation({ ...request, kind: 'activity', id: unknownId }, () =>
        store.activityPage(request),
      ),
  };
}

/** An account counts only while its wallet lives and has not deleted it. */
function isLiving(state: OrganizationState, account: WalletAccount): boolean {
  const wallet = state.records.wallet.get(account.walletId);
  return wallet !== undefined && !wallet.deletedAccountIds.includes(account.id);
}
