// Shows the balances of accounts and wallets on the chains whose nodes the operator configured. A slow node
// delays only the line of its chain.

import type { Client } from '../../../src/client/connect.ts';
import { maximumAccounts } from '../../../src/client/reported_rows.ts';
import { t } from '../../messages/text.ts';
import { type AddressBalances, type AssetSum, sumsOf } from '../overview/balance_sums.ts';
import { shown } from '../service/activity_text.ts';
import { chainName, useServiceHealth } from '../service/chains.ts';
import { ofNodes, type Read, useRead } from '../service/queries.ts';
import type { Account } from '../service/reads.ts';
import { useSession } from '../session/context.ts';

export type BalancesProps = { readonly account: Account } | { readonly walletId: string };

/** Shows the balances of one account, or of all accounts of a wallet. */
export default function Balances(of: BalancesProps) {
  return 'account' in of ? <OfAccount {...of} /> : <OfAccounts {...of} />;
}

function OfAccount({ account }: { readonly account: Account }) {
  const { address, caip2Prefix } = account;
  return useServiceHealth().data?.chains.map(({ caip2 }) =>
    caip2.startsWith(`${caip2Prefix}:`) ? (
      <OfAddress key={caip2} caip2={caip2} address={address} />
    ) : null,
  );
}

function OfAddress({ caip2, address }: { readonly caip2: string; readonly address: string }) {
  const { client } = useSession();
  const { data = [], error } = useRead([ofNodes, address, caip2], async (signal) =>
    sumsOf([await balancesOf(client, { address, caip2 }, signal)]),
  );
  return <Sums caip2={caip2} sums={data} isFailed={error !== null} />;
}

function OfAccounts({ walletId }: { readonly walletId: string }) {
  return useServiceHealth().data?.chains.map(({ caip2 }) => (
    <OfWallet key={caip2} caip2={caip2} walletId={walletId} />
  ));
}

function OfWallet({ caip2, walletId }: { readonly caip2: string; readonly walletId: string }) {
  const { data, error } = useWalletSums(caip2);
  return <Sums caip2={caip2} sums={data?.get(walletId) ?? []} isFailed={error !== null} />;
}

function Sums(props: {
  readonly caip2: string;
  readonly sums: readonly AssetSum[];
  readonly isFailed: boolean;
}) {
  const { caip2, sums, isFailed } = props;
  const chain = chainName(caip2);
  if (isFailed) return <p class="hint">{t('wallets.noBalance', { chain })}</p>;
  if (sums.length === 0) return null;
  return (
    <ul class="balances" aria-label={t('wallets.balancesOn', { chain })}>
      {sums.map(({ caip19, symbol, amount }) => (
        <li key={caip19}>
          {amount} {shown(symbol)} <span class="hint">{chain}</span>
        </li>
      ))}
    </ul>
  );
}

/** Maximum number of accounts on a chain whose balances the list reads, and of concurrent reads. */
const [mostAccounts, atOnce] = [20, 4];

/** Reads the balance sums on one chain for the wallets of the newest accounts, by wallet id. */
function useWalletSums(caip2: string): Read<ReadonlyMap<string, readonly AssetSum[]>> {
  const { client } = useSession();
  return useRead([ofNodes, 'wallets', caip2], async (signal) => {
    const accounts = (await accountsOn(client, caip2, signal)).slice(-mostAccounts);
    const found: { readonly walletId: string; readonly balances: AddressBalances }[] = [];
    for (let first = 0; first < accounts.length; first += atOnce) {
      const some = accounts.slice(first, first + atOnce).map(async ({ walletId, address }) => ({
        walletId,
        balances: await balancesOf(client, { address, caip2 }, signal),
      }));
      found.push(...(await Promise.all(some)));
    }
    const wallets = Map.groupBy(found, ({ walletId }) => walletId);
    return new Map(
      [...wallets].map(([walletId, rows]) => [
        walletId,
        sumsOf(rows.map(({ balances }) => balances)),
      ]),
    );
  });
}

async function accountsOn(client: Client, caip2: string, signal: AbortSignal) {
  const found: Account[] = [];
  for await (const account of client.pages('list_wallet_accounts', {}, { signal })) {
    if (caip2.startsWith(`${account.caip2Prefix}:`)) found.push(account);
    if (found.length === maximumAccounts) break;
  }
  return found;
}

async function balancesOf(
  client: Client,
  of: { readonly address: string; readonly caip2: string },
  signal: AbortSignal,
): Promise<AddressBalances> {
  const { balances } = await client.query('get_wallet_address_balances', of, { signal });
  return { balances, changes: undefined };
}
