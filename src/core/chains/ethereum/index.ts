// The format of Ethereum and of chains with its virtual machine.

import type { ChainFormat } from '../chain.ts';
import { readEthereum } from './read.ts';
import { attachToEthereum, ethereumSignedBytes } from './sign.ts';
import { type EthereumTransaction, ethereumLimits } from './transaction.ts';

export const ethereumFormat: ChainFormat<EthereumTransaction> = {
  maximumBytes: ethereumLimits.bytes,
  accountFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  read: readEthereum,
  signedBytes: ethereumSignedBytes,
  attach: attachToEthereum,
};
