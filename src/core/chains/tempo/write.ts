// Writes Tempo transactions.

import { concatBytes } from '../../base/bytes.ts';
import { encodeRlp, type RlpItem, rlpInteger } from '../../payload/rlp.ts';
import { type FeePayerSignature, type TempoTransaction, tempoTypeByte } from './transaction.ts';

type Members = Omit<TempoTransaction, 'bytes'>;

/** Returns the bytes of an unsigned transaction, or with `signature` those of the signed one. */
export function writeTempo(transaction: Members, signature?: Uint8Array): Uint8Array {
  const { chainId, maxPriorityFeePerGas, maxFeePerGas, gas, calls } = transaction;
  const { nonceKey, nonce, validBefore, validAfter, feeToken, feePayer } = transaction;
  const list: RlpItem = [
    ...[chainId, maxPriorityFeePerGas, maxFeePerGas, gas].map(rlpInteger),
    calls.map(({ to, input }) => [to, noValue, input]),
    nothing,
    ...[nonceKey, nonce, validBefore, validAfter].map(rlpInteger),
    feeToken,
    feePayerItem(feePayer),
    nothing,
    ...(signature === undefined ? [] : [signature]),
  ];
  return concatBytes(Uint8Array.of(tempoTypeByte), encodeRlp(list));
}

const noValue = new Uint8Array(0);
/** An empty access list or list of authorizations. */
const nothing: RlpItem = [];

function feePayerItem(feePayer: undefined | 'unsigned' | FeePayerSignature): RlpItem {
  if (feePayer === undefined) return noValue;
  if (feePayer === 'unsigned') return Uint8Array.of(0);
  return [feePayer.yParity, feePayer.r, feePayer.s].map(rlpInteger);
}
