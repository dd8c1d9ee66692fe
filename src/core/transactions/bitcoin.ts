import { bitcoinNetworks } from '../address/bitcoin_scripts.ts';
import { bitcoinFormat } from '../chains/bitcoin/index.ts';
import type { BitcoinTransaction } from '../chains/bitcoin/transaction.ts';
import { explainBitcoin } from './bitcoin_explanation.ts';
import { bitcoinFacts, bitcoinTransfers } from './bitcoin_facts.ts';
import type { TransactionKind } from './described.ts';

/** PSBTs. The account's address tells the network, which the bytes do not name. */
export const bitcoinKind: TransactionKind<BitcoinTransaction> = {
  format: bitcoinFormat,
  contracts: () => [],
  facts: bitcoinFacts,
  explain: explainBitcoin,
  transfers: bitcoinTransfers,
  chain: ({ network }) => bitcoinNetworks[network].caip2,
};
