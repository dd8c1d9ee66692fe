// The format of Tron.

import type { ChainFormat } from '../chain.ts';
import { maximumTronBytes, readTron } from './read.ts';
import { attachToTron, signedByTron } from './sign.ts';
import type { TronTransaction } from './transaction.ts';

export const tronFormat: ChainFormat<TronTransaction> = {
  maximumBytes: maximumTronBytes,
  accountFormats: ['ADDRESS_FORMAT_TRON'],
  read: readTron,
  signedBytes: signedByTron,
  attach: attachToTron,
};
