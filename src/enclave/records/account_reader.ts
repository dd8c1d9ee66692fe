// Reads wallet accounts by lookup, id or page. Each is sealed separately.

import { createRecentCache } from '../../core/base/lru_cache.ts';
import { accountPathValue, type IndexName } from '../../core/organization/indexes/indexes.ts';
import type { LargeRecords, WalletAccount } from '../../core/organization/model.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredRecord, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { checkPage, pageOf } from './pages.ts';
import { maximumLookupRows } from './reader_limits.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

/** Maximum cached signing accounts. A change that affects signatures changes their cache key. */
const maximumCachedAddresses = 50_000;

type AccountReader = Pick<
  Reader,
  | 'signingAccount'
  | 'walletAccountsByAddress'
  | 'walletAccountsByName'
  | 'walletAccountsByPath'
  | 'walletAccounts'
  | 'walletAccountPage'
>;

/** Creates the reader of the accounts of one organization at one version. */
export function createAccountReaders({
  store,
  codec,
  keys,
}: {
  readonly store: Pick<StorePort, 'records' | 'recordPage' | 'lookup'>;
  readonly codec: RecordCodec;
  readonly keys: RootKeys;
}): (state: OrganizationState) => AccountReader {
  const signingAccounts = createRecentCache<WalletAccount>(maximumCachedAddresses);
  return (state) => {
    const organizationId = state.id;
    function openAccounts(rows: readonly StoredRecord[]): WalletAccount[] {
      return rows
        .map((row) => {
          if (row.kind !== 'wallet_account') refuseRecord({ ...row, organizationId });
          return codec.openRecord(organizationId, row) as LargeRecords['wallet_account'];
        })
        .filter((account) => isLiving(state, account));
    }

    async function walletAccounts(ids: readonly string[]): Promise<readonly WalletAccount[]> {
      if (ids.length === 0) return [];
      const rows = await store.records({ organizationId, kind: 'wallet_account', ids });
      const asked = new Set(ids);
      const byId = new Map(rows.filter((row) => asked.has(row.id)).map((row) => [row.id, row]));
      return openAccounts([...byId.values()]);
    }

    /** Finds accounts by an index entry. An entry is only a hint; the account itself must have the value. */
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

    const walletAccountsByAddress = (requested: string) =>
      accountsBy('account_address', requested, ({ address }) => address === requested);

    return {
      signingAccount: (address) => {
        // Under one guard no wallet is changed or deleted, so a found account stays valid.
        const name = `${organizationId}/${state.guard}/${address}`;
        return (
          signingAccounts.get(name) ??
          walletAccountsByAddress(address).then(([account]) => {
            if (account !== undefined) signingAccounts.set(name, account);
            return account;
          })
        );
      },
      walletAccountsByAddress,
      walletAccountsByName: (requested) =>
        accountsBy('account_name', requested, ({ name }) => name === requested),
      walletAccountsByPath: (walletId, path) =>
        accountsBy(
          'account_path',
          accountPathValue({ walletId, path }),
          (account) => account.walletId === walletId && account.path === path,
        ),
      walletAccounts,
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
    };
  };
}

/** Returns true if the wallet exists and has not deleted the account. */
function isLiving(state: OrganizationState, account: WalletAccount): boolean {
  const wallet = state.records.wallet.get(account.walletId);
  return wallet !== undefined && !wallet.deletedAccountIds.includes(account.id);
}
