// Transactions in the format of nodes: the unsigned one, and complete ones whose outputs it spends.

import { concatBytes, equalBytes } from '../../base/bytes.ts';
import { sha256 } from '../../crypto/hashes.ts';
import { refuseTransaction } from '../unreadable.ts';
import {
  type BitcoinCursor,
  cursorOver,
  requireEnd,
  skipBytes,
  skipVariableBytes,
  takeBytes,
  takeCount,
  takeInt32,
  takeUint32,
  takeUint64,
  takeVariableBytes,
} from './cursor.ts';
import {
  type BitcoinInput,
  type BitcoinOutput,
  bitcoinLimits,
  type PlainTransaction,
} from './transaction.ts';
import { compactSize, sizedBytes, uint32, uint64 } from './write_numbers.ts';

/** Outpoint, script length, sequence. */
const smallestInput = 41;
/** Value, script length. */
const smallestOutput = 9;

/** Reads an unsigned transaction: no witnesses and empty scripts (BIP-174). */
export function readUnsigned(bytes: Uint8Array, place: string): PlainTransaction {
  if (bytes.length > bitcoinLimits.unsignedBytes) {
    refuseTransaction(place, `expected at most ${bitcoinLimits.unsignedBytes} bytes`);
  }
  const cursor = cursorOver(bytes);
  const { scripts, ...transaction } = readBody(cursor, place);
  const signed = scripts.findIndex((script) => script.length > 0);
  if (signed !== -1) {
    refuseTransaction(`${place}.inputs[${signed}].script_sig`, 'expected an empty script');
  }
  const locktime = takeUint32(cursor, `${place}.locktime`);
  requireEnd(cursor, place);
  return { ...transaction, locktime };
}

/**
 * Reads one output of a complete transaction, with or without witnesses, and verifies that the hash without
 * witnesses is `transactionId`.
 */
export function readSpentOutput(
  bytes: Uint8Array,
  { transactionId, index }: BitcoinInput,
  place: string,
): BitcoinOutput {
  const cursor = cursorOver(bytes);
  const hasWitnesses = bytes[4] === 0;
  const start = hasWitnesses ? 6 : 4;
  skipBytes(cursor, start, place);
  if (hasWitnesses && bytes[5] !== 1) {
    refuseTransaction(place, 'expected inputs, or the flag 01 of a transaction with witnesses');
  }
  const inputCount = skipInputs(cursor, place);
  const spent = findOutput(cursor, index, place);
  const end = cursor.offset;
  if (hasWitnesses) skipWitnesses(cursor, inputCount, place);
  const locktime = takeBytes(cursor, 4, place);
  requireEnd(cursor, place);
  const stripped = concatBytes(bytes.subarray(0, 4), bytes.subarray(start, end), locktime);
  if (!equalBytes(doubleSha256(stripped), transactionId)) {
    refuseTransaction(place, 'expected the transaction whose hash the input names');
  }
  return spent ?? refuseTransaction(place, `expected a transaction with an output ${index}`);
}

/** Writes a transaction with empty scripts and without witnesses. */
export function writeUnsigned(transaction: PlainTransaction): Uint8Array {
  const { version, inputs, outputs, locktime } = transaction;
  return concatBytes(
    uint32(version),
    compactSize(inputs.length),
    ...inputs.map(({ transactionId, index, sequence }) =>
      concatBytes(transactionId, uint32(index), Uint8Array.of(0), uint32(sequence)),
    ),
    compactSize(outputs.length),
    ...outputs.map(writeOutput),
    uint32(locktime),
  );
}

/** Writes an output: value and script. */
export function writeOutput({ value, script }: BitcoinOutput): Uint8Array {
  return concatBytes(uint64(value), sizedBytes(script));
}

/** Reads a single output in the form of `PSBT_IN_WITNESS_UTXO`. */
export function readOutput(bytes: Uint8Array, place: string): BitcoinOutput {
  const cursor = cursorOver(bytes);
  const output = takeOutput(cursor, place);
  requireEnd(cursor, place);
  return output;
}

/** Returns the SHA-256 of the SHA-256. */
export function doubleSha256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

type Body = Omit<PlainTransaction, 'locktime'> & { readonly scripts: readonly Uint8Array[] };

function readBody(cursor: BitcoinCursor, place: string): Body {
  const version = takeInt32(cursor, `${place}.version`);
  const inputCount = takeCount(cursor, smallestInput, `${place}.inputs`);
  if (inputCount === 0) refuseTransaction(`${place}.inputs`, 'expected at least one, got none');
  const inputs: BitcoinInput[] = [];
  const scripts: Uint8Array[] = [];
  for (let i = 0; i < inputCount; i += 1) {
    const at = `${place}.inputs[${i}]`;
    const transactionId = takeBytes(cursor, 32, at);
    const index = takeUint32(cursor, at);
    scripts.push(takeVariableBytes(cursor, at));
    inputs.push({ transactionId, index, sequence: takeUint32(cursor, at) });
  }
  const outputCount = takeCount(cursor, smallestOutput, `${place}.outputs`);
  if (outputCount === 0) refuseTransaction(`${place}.outputs`, 'expected at least one, got none');
  const outputs: BitcoinOutput[] = [];
  for (let i = 0; i < outputCount; i += 1) {
    outputs.push(takeOutput(cursor, `${place}.outputs[${i}]`));
  }
  return { version, inputs, outputs, scripts };
}

/** Skips the inputs of a complete transaction; returns their number. */
function skipInputs(cursor: BitcoinCursor, place: string): number {
  const count = takeCount(cursor, smallestInput, place);
  if (count === 0) refuseTransaction(place, 'expected at least one input, got none');
  for (let i = 0; i < count; i += 1) {
    skipBytes(cursor, 36, place);
    skipVariableBytes(cursor, place);
    skipBytes(cursor, 4, place);
  }
  return count;
}

/** Skips the outputs of a complete transaction; returns the one at the index, or undefined. */
function findOutput(
  cursor: BitcoinCursor,
  index: number,
  place: string,
): BitcoinOutput | undefined {
  const count = takeCount(cursor, smallestOutput, place);
  let found: BitcoinOutput | undefined;
  for (let i = 0; i < count; i += 1) {
    if (i === index) {
      found = takeOutput(cursor, place);
    } else {
      skipBytes(cursor, 8, place);
      skipVariableBytes(cursor, place);
    }
  }
  return found;
}

function takeOutput(cursor: BitcoinCursor, place: string): BitcoinOutput {
  const value = takeUint64(cursor, place);
  if (value > bitcoinLimits.satoshis) {
    refuseTransaction(`${place}.value`, `expected at most 21 million coins, got ${value} satoshis`);
  }
  return { value, script: takeVariableBytes(cursor, `${place}.script`) };
}

/** Skips a witness stack for each input. Nodes omit the stacks if all are empty, so one must have an item. */
function skipWitnesses(cursor: BitcoinCursor, inputCount: number, place: string): void {
  let items = 0;
  for (let i = 0; i < inputCount; i += 1) items += skipStack(cursor, place);
  if (items === 0) refuseTransaction(place, 'expected a witness, or the form without witnesses');
}

/** Skips the items of a witness; returns their number. */
export function skipStack(cursor: BitcoinCursor, place: string): number {
  const count = takeCount(cursor, 1, place);
  for (let i = 0; i < count; i += 1) skipVariableBytes(cursor, place);
  return count;
}
