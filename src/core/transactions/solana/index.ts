// Transactions of Solana: reader and explanation.

import { solanaFormat } from '../../chains/solana/sign.ts';
import type { SolanaTransaction } from '../../chains/solana/transaction.ts';
import type { TransactionKind } from '../described.ts';
import { explainSolana } from './explanation.ts';
import { calledPrograms, solanaFacts } from './facts.ts';
import { solanaTransfers } from './transfers.ts';

export const solanaKind: TransactionKind<SolanaTransaction> = {
  format: solanaFormat,
  contracts: calledPrograms,
  facts: (transaction, _, interfaces) => solanaFacts(transaction, interfaces),
  explain: explainSolana,
  transfers: solanaTransfers,
  // Only the block hash distinguishes clusters.
  chain: () => 'solana',
};
