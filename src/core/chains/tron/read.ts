// The strict reader of unsigned Tron transactions.

import { equalBytes } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';
import { readMessage } from './fields.ts';
import { rawData } from './messages.ts';
import type { TronTransaction } from './transaction.ts';
import { writeTron } from './write.ts';

/** Nodes accept no longer transaction (`Constant.TRANSACTION_MAX_BYTE_SIZE`). */
export const maximumTronBytes = 500 * 1024;

/**
 * Reads `raw_data` in the canonical encoding of nodes. Raises `UnreadableTransaction`. The owner may be
 * another account than the signer, because permissions let other keys sign.
 */
export function readTron(bytes: Uint8Array): TronTransaction {
  if (bytes.length > maximumTronBytes) {
    refuseTransaction('raw_data', `expected at most ${maximumTronBytes} bytes`);
  }
  const raw = readMessage(rawData, bytes, 'raw_data');
  if (raw.expiration === 0n) refuseTransaction('raw_data.expiration', 'is missing');
  if (!equalBytes(writeTron(raw), bytes)) {
    refuseTransaction('raw_data', 'expected the canonical encoding');
  }
  return { bytes, raw };
}
