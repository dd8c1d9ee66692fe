import { type Asset, publicAsset } from './chains.ts';
import { ChainFault } from './node_answer.ts';
import type { BlockTransaction, Transfer } from './transfers.ts';

/** Maximum number of transfers of one block. */
const maximumTransfers = 50_000;

/** Maximum number of signers of a transaction, about as many as the largest transaction has room for. */
const maximumSigners = 64;

/** Returns the transactions of a block, of which one step allows a maximum number. Raises `ChainFault`. */
export function boundedTransactions(
  seen: readonly BlockTransaction[],
): readonly BlockTransaction[] {
  if (seen.length > maximumTransfers) throw new ChainFault('a block has too many transactions');
  const isBounded = seen.every(({ signers }) => signers.length <= maximumSigners);
  if (!isBounded) throw new ChainFault('a transaction has too many signers');
  return seen;
}

export type Sums = ReturnType<typeof createSums>;

/** Creates the sums of transfers by transaction, address, direction and asset. */
export function createSums() {
  type Sum = Omit<Transfer, 'amount' | 'counterparty'> & {
    amount: bigint;
    counterparty: string | undefined;
  };
  const sums = new Map<string, Sum>();
  return {
    add: (
      txHash: string,
      address: string,
      operation: Transfer['operation'],
      asset: Asset,
      amount: bigint,
      counterparty?: string,
    ): void => {
      if (amount === 0n) return;
      const key = `${txHash}/${address}/${operation}/${asset.caip19}`;
      const known = sums.get(key);
      if (known === undefined) {
        sums.set(key, { txHash, address, operation, asset, amount, counterparty });
      } else {
        known.amount += amount;
        if (known.counterparty !== counterparty) known.counterparty = undefined;
      }
      if (sums.size > maximumTransfers) throw new ChainFault('a block has too many transfers');
    },
    transfers: (): Transfer[] =>
      [...sums.values()].map((each) => {
        return { ...each, asset: publicAsset(each.asset), amount: String(each.amount) };
      }),
  };
}
