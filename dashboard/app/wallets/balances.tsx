// Shows the balances of an address, if the operator configured a node for its chain.

import type { Client } from '../../../src/client/connect.ts';
import { RequestFailed } from '../../../src/client/errors.ts';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { ofNodes, useRead } from '../service/queries.ts';
import type { Account } from '../service/reads.ts';
import { useSession } from '../session/context.ts';

/** Main network (CAIP-2) of each namespace. */
const mainNetworks: Readonly<Record<string, string>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
};

/** Chains without a configured node. The page requests their balances only once, not for each account. */
const withoutNode = new Set<string>();

export function Balances({ account }: { readonly account: Account }) {
  const { client } = useSession();
  const { address, caip2Prefix = '' } = account;
  const caip2 = mainNetworks[caip2Prefix];
  const { data = [], error } = useRead([ofNodes, address], (signal) =>
    caip2 === undefined ? Promise.resolve([]) : balancesOf(client, address, caip2, signal),
  );
  if (error !== null) return <p class="hint">{t('wallets.noBalance')}</p>;
  if (data.length === 0) return null;
  return (
    <ul class="balances" aria-label={t('wallets.balances')}>
      {data.map(({ caip19, symbol, display }) => (
        <li key={caip19}>
          {display.crypto} {shown(symbol)}
        </li>
      ))}
    </ul>
  );
}

async function balancesOf(client: Client, address: string, caip2: string, signal: AbortSignal) {
  if (withoutNode.has(caip2)) return [];
  try {
    const of = { address, caip2 };
    return (await client.query('get_wallet_address_balances', of, { signal })).balances;
  } catch (error) {
    const isUnknown =
      error instanceof RequestFailed && error.fields.some(({ field }) => field === 'caip2');
    if (!isUnknown) throw error;
    withoutNode.add(caip2);
    return [];
  }
}
