// Sums of balances and of their changes within a day.

import type { Queries } from '../../../src/client/generated/operations.ts';
import { amountText } from '../../../src/core/balances/amount_text.ts';

type Balance = Queries['get_wallet_address_balances']['result']['balances'][number];

/** Amounts of one asset, in whole units. */
export type AssetSum = {
  readonly caip19: string;
  readonly symbol: string;
  readonly amount: string;
  /** With its sign; undefined if it is unknown or nothing changed. */
  readonly change: string | undefined;
};

export type AddressBalances = {
  readonly balances: readonly Balance[];
  /** By CAIP-19, in the smallest unit; undefined if the history of the day is longer than one page. */
  readonly changes: ReadonlyMap<string, bigint> | undefined;
};

type Seen = {
  readonly from?: string;
  readonly feePayer?: string;
  readonly fee: { readonly amount: string; readonly caip19: string };
  readonly transfers: readonly {
    readonly direction: 'IN' | 'OUT';
    readonly asset?: { readonly caip19: string } | undefined;
    readonly amount: string;
  }[];
};

/** Returns the net change of each asset at an address, including the fees that it paid. */
export function changesOf(address: string, seen: readonly Seen[]): ReadonlyMap<string, bigint> {
  const changes = new Map<string, bigint>();
  const add = (caip19: string, amount: bigint) =>
    changes.set(caip19, (changes.get(caip19) ?? 0n) + amount);
  for (const { from, feePayer, fee, transfers } of seen) {
    for (const { direction, asset, amount } of transfers) {
      if (asset === undefined) continue;
      add(asset.caip19, direction === 'IN' ? BigInt(amount) : -BigInt(amount));
    }
    const isPayer =
      from === undefined ? feePayer === address : from.toLowerCase() === address.toLowerCase();
    if (isPayer) add(fee.caip19, -BigInt(fee.amount));
  }
  return changes;
}

/** Returns the sums of balances, one row for each asset that is held or was held a day ago. */
export function sumsOf(found: readonly AddressBalances[]): readonly AssetSum[] {
  const isKnown = found.every(({ changes }) => changes !== undefined);
  const assets = new Map<string, Balance & { total: bigint }>();
  for (const balance of found.flatMap(({ balances }) => balances)) {
    const total = (assets.get(balance.caip19)?.total ?? 0n) + BigInt(balance.balance);
    assets.set(balance.caip19, { ...balance, total });
  }
  return [...assets.values()].map(({ caip19, symbol, decimals, total }) => {
    const change = found.reduce((sum, { changes }) => sum + (changes?.get(caip19) ?? 0n), 0n);
    return {
      caip19,
      symbol,
      amount: amountText(String(total), decimals),
      change: isKnown && change !== 0n ? signed(change, decimals) : undefined,
    };
  });
}

const signed = (amount: bigint, decimals: number): string =>
  amount < 0n
    ? `−${amountText(String(-amount), decimals)}`
    : `+${amountText(String(amount), decimals)}`;
