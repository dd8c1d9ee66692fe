// The balances of an organization on one chain, and their change within a day.

import type { Client } from '../../../src/client/connect.ts';
import { maximumAccounts } from '../../../src/client/reported_rows.ts';
import { ofNodes, type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';
import { type AddressBalances, type AssetSum, changesOf, sumsOf } from './balance_sums.ts';

type ChainBalances = {
  readonly assets: readonly AssetSum[];
  /** Number of addresses in the sums, and of all addresses on this chain. */
  readonly counted: number;
  readonly all: number;
};

/** Maximum number of addresses on a chain whose balances are read, and of concurrent reads. */
const [mostAddresses, atOnce] = [20, 4];
const dayMs = 86_400_000;
const historySize = 100;

/** Reads the sums on one chain. Throws `RequestFailed` if its node does not answer. */
export function useChainBalances(caip2: string): Read<ChainBalances> {
  const { client } = useSession();
  return useRead([ofNodes, caip2], async (signal) => {
    const addresses = await addressesOn(client, caip2, signal);
    const counted = addresses.slice(-mostAddresses);
    const found: AddressBalances[] = [];
    for (let first = 0; first < counted.length; first += atOnce) {
      const some = counted.slice(first, first + atOnce);
      found.push(...(await Promise.all(some.map((each) => readOne(client, caip2, each, signal)))));
    }
    return { assets: sumsOf(found), counted: counted.length, all: addresses.length };
  });
}

async function addressesOn(client: Client, caip2: string, signal: AbortSignal) {
  const found = new Set<string>();
  for await (const { address, caip2Prefix } of client.pages(
    'list_wallet_accounts',
    {},
    { signal },
  )) {
    if (caip2.startsWith(`${caip2Prefix}:`)) found.add(address);
    if (found.size === maximumAccounts) break;
  }
  return [...found];
}

async function readOne(
  client: Client,
  caip2: string,
  address: string,
  signal: AbortSignal,
): Promise<AddressBalances> {
  const of = { address, caip2 };
  const paginationOptions = { limit: String(historySize) };
  const list = caip2.startsWith('eip155:')
    ? client.query('list_eth_transaction_history', { ...of, paginationOptions }, { signal })
    : client.query('list_sol_transaction_history', { ...of, paginationOptions }, { signal });
  const [{ balances }, { transactions }] = await Promise.all([
    client.query('get_wallet_address_balances', of, { signal }),
    list,
  ]);
  const sinceMs = Date.now() - dayMs;
  const today = transactions.filter(({ block }) => Date.parse(block.timestamp) >= sinceMs);
  const isWhole = today.length < historySize;
  return { balances, changes: isWhole ? changesOf(address, today) : undefined };
}
