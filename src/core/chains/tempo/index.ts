// The format of Tempo.

import type { ChainFormat } from '../chain.ts';
import { readTempo } from './read.ts';
import { attachToTempo, tempoSignedBytes } from './sign.ts';
import { type TempoTransaction, tempoLimits } from './transaction.ts';

export const tempoFormat: ChainFormat<TempoTransaction> = {
  maximumBytes: tempoLimits.bytes,
  accountFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  read: readTempo,
  signedBytes: tempoSignedBytes,
  attach: attachToTempo,
};
