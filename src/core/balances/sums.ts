import { type Asset, toldAsset } from './chains.ts';
import { ChainFault } from './node_answer.ts';
import type { Transfer } from './transfers.ts';

/** Of one block. */
const maximumTransfers = 50_000;

export type Sums = ReturnType<typeof createSums>;

/** Transfers of one transaction, address, direction and asset are one. */
export function createSums() {
  const sums = new Map<string, Omit<Transfer, 'amount'> & { amount: bigint }>();
  return {
    add: (
      txHash: string,
      address: string,
      operation: Transfer['operation'],
      asset: Asset,
      amount: bigint,
    ): void => {
      if (amount === 0n) return;
      const key = `${txHash}/${address}/${operation}/${asset.caip19}`;
      const known = sums.get(key);
      if (known !== undefined) known.amount += amount;
      else sums.set(key, { txHash, address, operation, asset, amount });
      if (sums.size > maximumTransfers) throw new ChainFault('a block has too many transfers');
    },
    transfers: (): Transfer[] =>
      [...sums.values()].map((each) => {
        return { ...each, asset: toldAsset(each.asset), amount: String(each.amount) };
      }),
  };
}
