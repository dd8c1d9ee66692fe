// The strict reader of unsigned Tempo transactions. Parts that policies have no name for must be empty:
// access lists, values of calls, authorizations and key authorizations.

import { equalBytes } from '../../base/bytes.ts';
import {
  type RefuseRlp,
  type RlpSlice,
  readRlp,
  readRlpItems,
  rlpBytes,
  rlpUnsigned,
} from '../../payload/rlp_reader.ts';
import { refuseTransaction } from '../unreadable.ts';
import {
  type FeePayerSignature,
  type TempoCall,
  type TempoTransaction,
  tempoLimits,
  tempoTypeByte,
} from './transaction.ts';
import { writeTempo } from './write.ts';

/** The items of the list, in order. */
const names = [
  'chainId',
  'maxPriorityFeePerGas',
  'maxFeePerGas',
  'gas',
  'calls',
  'accessList',
  'nonceKey',
  'nonce',
  'validBefore',
  'validAfter',
  'feeToken',
  'feePayer',
  'authorizationList',
] as const;
type Name = (typeof names)[number];

/** Maximum number of items, including a key authorization and a signature. */
const maximumItems = names.length + 2;

/**
 * Reads an unsigned transaction in its canonical encoding. Raises `UnreadableTransaction`. Rejects a fee
 * token together with another fee payer, because the signature would not cover the token.
 */
export function readTempo(bytes: Uint8Array): TempoTransaction {
  if (bytes.length > tempoLimits.bytes) {
    refuseTransaction('transaction', `expected at most ${tempoLimits.bytes} bytes`);
  }
  const [type] = bytes;
  if (type !== tempoTypeByte) {
    refuseTransaction(
      'type',
      `expected 76, got ${type?.toString(16).padStart(2, '0') ?? 'no bytes'}`,
    );
  }
  const list = readRlp(bytes.subarray(1), at('transaction'));
  const items = readRlpItems(list, maximumItems, at('transaction'));
  if (items.length > names.length) {
    refuseTransaction('transaction', 'expected no signature and no key authorization');
  }
  const item = (name: Name): RlpSlice =>
    items[names.indexOf(name)] ??
    refuseTransaction('transaction', `expected ${names.length} items, got ${items.length}`);
  const unsigned = (name: Name, maximumBytes: number) =>
    rlpUnsigned(item(name), maximumBytes, at(name));
  requireEmptyList(item('accessList'), 'accessList');
  requireEmptyList(item('authorizationList'), 'authorizationList');
  const transaction: TempoTransaction = {
    bytes,
    chainId: unsigned('chainId', 8),
    maxPriorityFeePerGas: unsigned('maxPriorityFeePerGas', 32),
    maxFeePerGas: unsigned('maxFeePerGas', 32),
    gas: unsigned('gas', 8),
    calls: readCalls(item('calls')),
    nonceKey: unsigned('nonceKey', 32),
    nonce: unsigned('nonce', 8),
    validBefore: unsigned('validBefore', 8),
    validAfter: unsigned('validAfter', 8),
    feeToken: readAddress(item('feeToken'), 'feeToken'),
    feePayer: readFeePayer(item('feePayer')),
  };
  checkValues(transaction);
  if (!equalBytes(writeTempo(transaction), bytes)) {
    refuseTransaction('transaction', 'expected the canonical encoding');
  }
  return transaction;
}

function at(place: string): RefuseRlp {
  return (problem, index) =>
    refuseTransaction(index === undefined ? place : `${place}[${index}]`, problem);
}

function requireEmptyList(item: RlpSlice, name: Name): void {
  if (!item.isList) refuseTransaction(name, 'expected a list');
  if (item.start !== item.end) refuseTransaction(name, 'expected an empty list');
}

function readCalls(list: RlpSlice): readonly TempoCall[] {
  const calls = readRlpItems(list, tempoLimits.calls, at('calls')).map(readCall);
  return calls.length > 0 ? calls : refuseTransaction('calls', 'expected at least one call');
}

function readCall(call: RlpSlice, index: number): TempoCall {
  const place = `calls[${index}]`;
  const [to, value, input, ...more] = readRlpItems(call, 4, at(place));
  if (to === undefined || value === undefined || input === undefined || more.length > 0) {
    refuseTransaction(place, 'expected to, value and input');
  }
  if (rlpUnsigned(value, 32, at(`${place}.value`)) !== 0n) {
    refuseTransaction(`${place}.value`, 'expected no value');
  }
  return {
    to: readAddress(to, `${place}.to`),
    input: rlpBytes(input, at(`${place}.input`)),
  };
}

/** Reads 20 bytes, or an empty address. */
function readAddress(item: RlpSlice, place: string): Uint8Array {
  const bytes = rlpBytes(item, at(place));
  if (bytes.length === 0 || bytes.length === 20) return bytes;
  return refuseTransaction(place, `expected 20 bytes or none, got ${bytes.length}`);
}

function readFeePayer(item: RlpSlice): TempoTransaction['feePayer'] {
  if (item.isList) return readFeePayerSignature(item);
  const bytes = rlpBytes(item, at('feePayer'));
  if (bytes.length === 0) return undefined;
  if (bytes.length === 1 && bytes[0] === 0) return 'unsigned';
  return refuseTransaction('feePayer', 'expected nothing, the byte 00 or a signature');
}

function readFeePayerSignature(list: RlpSlice): FeePayerSignature {
  const [yParity, r, s, ...more] = readRlpItems(list, 4, at('feePayer'));
  if (yParity === undefined || r === undefined || s === undefined || more.length > 0) {
    refuseTransaction('feePayer', 'expected yParity, r and s');
  }
  const signature = {
    yParity: rlpUnsigned(yParity, 1, at('feePayer.yParity')),
    r: rlpUnsigned(r, 32, at('feePayer.r')),
    s: rlpUnsigned(s, 32, at('feePayer.s')),
  };
  if (signature.yParity > 1n) refuseTransaction('feePayer.yParity', 'expected 0 or 1');
  if (signature.r === 0n) refuseTransaction('feePayer.r', 'expected an integer above 0');
  if (signature.s === 0n) refuseTransaction('feePayer.s', 'expected an integer above 0');
  return signature;
}

/** Checks rules that span items, and values that RLP allows but the chain does not. */
function checkValues(transaction: TempoTransaction): void {
  const { chainId, maxPriorityFeePerGas, maxFeePerGas, validBefore, validAfter } = transaction;
  if (chainId === 0n) refuseTransaction('chainId', 'expected at least 1');
  if (maxPriorityFeePerGas > maxFeePerGas) {
    refuseTransaction('maxPriorityFeePerGas', 'expected at most maxFeePerGas');
  }
  if (validBefore !== 0n && validBefore <= validAfter) {
    refuseTransaction('validBefore', 'expected more than validAfter');
  }
  if (transaction.feePayer !== undefined && transaction.feeToken.length > 0) {
    refuseTransaction('feeToken', 'expected none where another pays the fee');
  }
}
