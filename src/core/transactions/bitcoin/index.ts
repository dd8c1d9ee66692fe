import { bitcoinFormat } from '../../chains/bitcoin/index.ts';
import type { BitcoinTransaction } from '../../chains/bitcoin/transaction.ts';
import type { TransactionKind } from '../described.ts';
import { explainBitcoin } from './explanation.ts';
import { bitcoinFacts, bitcoinTransfers } from './facts.ts';

/**
 * PSBTs. Their bytes do not identify the network, since a key has addresses on all networks and signs the
 * same bytes.
 */
export const bitcoinKind: TransactionKind<BitcoinTransaction> = {
  format: bitcoinFormat,
  contracts: () => [],
  facts: bitcoinFacts,
  explain: explainBitcoin,
  transfers: bitcoinTransfers,
  chain: () => 'bip122',
};
