import { bitcoinFormat } from '../../chains/bitcoin/index.ts';
import type { BitcoinTransaction } from '../../chains/bitcoin/transaction.ts';
import type { TransactionKind } from '../described.ts';
import { explainBitcoin } from './explanation.ts';
import { bitcoinFacts, bitcoinTransfers } from './facts.ts';

/**
 * PSBTs. Nothing in the bytes tells one network from another: a key has addresses of all of them, and
 * signs the same.
 */
export const bitcoinKind: TransactionKind<BitcoinTransaction> = {
  format: bitcoinFormat,
  contracts: () => [],
  facts: bitcoinFacts,
  explain: explainBitcoin,
  transfers: bitcoinTransfers,
  chain: () => 'bip122',
};
