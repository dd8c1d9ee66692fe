import { tronFormat } from '../../chains/tron/index.ts';
import type { TronTransaction } from '../../chains/tron/transaction.ts';
import type { TransactionKind } from '../described.ts';
import { explainTron } from './explanation.ts';
import { tronFacts } from './facts.ts';
import { tronTransfers } from './transfers.ts';

/** Transactions of Tron. Interfaces do not apply to its contracts, and the bytes name no network. */
export const tronKind: TransactionKind<TronTransaction> = {
  format: tronFormat,
  contracts: () => [],
  facts: tronFacts,
  explain: explainTron,
  transfers: tronTransfers,
  chain: () => 'tron',
};
