// Finds the wallet accounts with addresses in a block, by their blinded addresses.

import type { Block } from '../../core/balances/transfers.ts';
import { watchedAddressOf, watchedAddressValue } from '../../core/organization/indexes/indexes.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredLookup, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { batchesOf, idsAtOnce } from './batches.ts';
import type { Watchers } from './chain_history.ts';

/** Addresses of a block in one query to the store, and the number of concurrent queries. */
const addressesAtOnce = 250;
const questionsAtOnce = 4;

type WatcherPorts = {
  readonly store: StorePort;
  readonly keys: RootKeys;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  readonly reader: (state: OrganizationState) => Reader;
};

/** Returns the organizations with an existing wallet account of each address. */
export async function watchersOf(
  ports: WatcherPorts,
  prefix: string,
  { transfers, transactions }: Block,
): Promise<Watchers> {
  const named = [
    ...transfers.map(({ address }) => address),
    ...transactions.map(({ from }) => from),
  ];
  const matched = new Map<string, OrganizationState[]>();
  for (const [organizationId, accountIds] of await hintsOf(ports, prefix, new Set(named))) {
    const { state } = await ports.organization(organizationId);
    if (state === undefined || state.head.deletedAtMs !== undefined) continue;
    // An entry is only a hint; the account itself must have the address.
    const own = new Set<string>();
    for (const ids of batchesOf(accountIds, idsAtOnce)) {
      for (const account of await ports.reader(state).walletAccounts(ids)) {
        const watched = watchedAddressOf(account);
        if (watched?.prefix === prefix) own.add(watched.address);
      }
    }
    for (const address of own) matched.set(address, [...(matched.get(address) ?? []), state]);
  }
  return matched;
}

/** Returns the ids of accounts that may have one of the addresses, by organization. */
async function hintsOf(
  { store, keys }: WatcherPorts,
  prefix: string,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  /** Returns at most a hundred accounts of each address, more than one key needs. */
  const lookups = (batch: readonly string[]): Promise<readonly StoredLookup[]> => {
    const index = 'watched_address';
    const blinds = batch.map((address) =>
      keys.blind(index, '', watchedAddressValue({ prefix, address })),
    );
    return store.lookups({ index, blinds });
  };
  const hints = new Map<string, string[]>();
  for (const batches of batchesOf(batchesOf([...addresses], addressesAtOnce), questionsAtOnce)) {
    const found = await Promise.all(batches.map(lookups));
    for (const { organizationId, recordId } of found.flat()) {
      const before = hints.get(organizationId);
      if (before === undefined) hints.set(organizationId, [recordId]);
      else before.push(recordId);
    }
  }
  return hints;
}
