// The format of Bitcoin: PSBTs of version 0.

import { type BitcoinFormatName, bitcoinFormats } from '../../address/bitcoin.ts';
import type { ChainFormat } from '../chain.ts';
import { readBitcoin } from './read.ts';
import { attachToBitcoin, bitcoinSignedBytes } from './sign.ts';
import { type BitcoinTransaction, bitcoinLimits } from './transaction.ts';

/** Reads and signs PSBTs. */
export const bitcoinFormat: ChainFormat<BitcoinTransaction> = {
  maximumBytes: bitcoinLimits.bytes,
  accountFormats: Object.keys(bitcoinFormats) as BitcoinFormatName[],
  read: readBitcoin,
  signedBytes: bitcoinSignedBytes,
  attach: attachToBitcoin,
};
