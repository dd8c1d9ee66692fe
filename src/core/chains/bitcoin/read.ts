// The strict reader of PSBTs of version 0 (BIP-174) for a signing account.

import { equalBytes, hex } from '../../base/bytes.ts';
import type { SigningAccount } from '../chain.ts';
import { refuseTransaction } from '../unreadable.ts';
import { type BitcoinAccount, bitcoinAccountOf, checkOwnInput } from './account.ts';
import { cursorOver, requireEnd, takeBytes } from './cursor.ts';
import { fieldTypes, globalFields, inputFields, outputFields } from './fields.ts';
import { readMap, valueOfType } from './maps.ts';
import { readOutput, readSpentOutput, readUnsigned } from './plain.ts';
import {
  type BitcoinInput,
  type BitcoinTransaction,
  bitcoinLimits,
  type PlainTransaction,
  type PsbtEntry,
  type PsbtInput,
  type SpentOutput,
} from './transaction.ts';
import { magic, writeBitcoin } from './write.ts';

/** A well-formed PSBT for any signer. */
type Psbt = {
  readonly unsigned: PlainTransaction;
  readonly globalEntries: readonly PsbtEntry[];
  readonly inputs: readonly (readonly PsbtEntry[])[];
  readonly outputs: readonly (readonly PsbtEntry[])[];
};

/**
 * Reads a PSBT and finds the inputs that the account signs. Raises `UnreadableTransaction` for non-canonical
 * encodings, impossible amounts, and missing or unexpected fields in the account's inputs.
 */
export function readBitcoin(bytes: Uint8Array, account: SigningAccount): BitcoinTransaction {
  const owner = bitcoinAccountOf(account);
  const { inputs: maps, ...psbt } = readPsbt(bytes);
  const inputs = maps.map((entries, i) => readInput(owner, psbt.unsigned, entries, i));
  checkOwnership(owner, inputs);
  checkHashedBytes(owner, psbt.globalEntries, inputs);
  checkAmounts(psbt.unsigned, inputs);
  const transaction = { ...owner, ...psbt, inputs };
  if (!equalBytes(writeBitcoin(transaction), bytes)) {
    refuseTransaction('psbt', 'expected the canonical encoding');
  }
  return transaction;
}

/** Reads a PSBT without regard to an account. */
export function readPsbt(bytes: Uint8Array): Psbt {
  if (bytes.length > bitcoinLimits.bytes) {
    refuseTransaction('psbt', `expected at most ${bitcoinLimits.bytes} bytes`);
  }
  const cursor = cursorOver(bytes);
  if (!equalBytes(takeBytes(cursor, magic.length, 'magic'), magic)) {
    refuseTransaction('magic', `expected ${hex(magic)}`);
  }
  const globalEntries = readMap(cursor, globalFields, 'global');
  const unsigned = readGlobal(globalEntries);
  const inputs = unsigned.inputs.map((_, i) => readMap(cursor, inputFields, `inputs[${i}]`));
  const outputs = unsigned.outputs.map((_, i) => readMap(cursor, outputFields, `outputs[${i}]`));
  requireEnd(cursor, 'psbt');
  return { unsigned, globalEntries, inputs, outputs };
}

const unsignedPlace = 'global.unsigned_tx';

function readGlobal(entries: readonly PsbtEntry[]): PlainTransaction {
  const version = valueOfType(entries, fieldTypes.version);
  if (version?.some((byte) => byte !== 0)) {
    refuseTransaction('global.version', `expected 00000000, got ${hex(version)}`);
  }
  const bytes = valueOfType(entries, fieldTypes.unsignedTransaction);
  if (bytes === undefined) refuseTransaction(unsignedPlace, 'expected a transaction, got none');
  const unsigned = readUnsigned(bytes, unsignedPlace);
  requireAtMost(unsigned.inputs.length, bitcoinLimits.inputs, 'inputs');
  requireAtMost(unsigned.outputs.length, bitcoinLimits.outputs, 'outputs');
  requireEachCoinOnce(unsigned.inputs);
  return unsigned;
}

function requireEachCoinOnce(inputs: readonly BitcoinInput[]): void {
  const seen = new Set<string>();
  for (const [i, { transactionId, index }] of inputs.entries()) {
    const name = `${hex(transactionId)}:${index}`;
    if (seen.has(name)) {
      refuseTransaction(`${unsignedPlace}.inputs[${i}]`, 'expected each coin once');
    }
    seen.add(name);
  }
}

function requireAtMost(count: number, limit: number, what: string): void {
  if (count > limit) {
    refuseTransaction(`${unsignedPlace}.${what}`, `expected at most ${limit}, got ${count}`);
  }
}

function readInput(
  owner: BitcoinAccount,
  unsigned: PlainTransaction,
  entries: readonly PsbtEntry[],
  i: number,
): PsbtInput {
  const place = `inputs[${i}]`;
  const coin = unsigned.inputs[i];
  if (coin === undefined) return refuseTransaction(place, 'expected an input of the transaction');
  const spent = readSpent(coin, entries, place);
  const isOurs = spent !== undefined && equalBytes(spent.script, owner.accountScript);
  if (isOurs) checkOwnInput(owner, entries, place);
  return { entries, isOurs, ...(spent && { spent }) };
}

/** Returns the spent output from the complete transaction, the output field, or both if they agree. */
function readSpent(
  coin: BitcoinInput,
  entries: readonly PsbtEntry[],
  place: string,
): SpentOutput | undefined {
  const whole = valueOfType(entries, fieldTypes.nonWitnessUtxo);
  const alone = valueOfType(entries, fieldTypes.witnessUtxo);
  const claimed = alone && readOutput(alone, `${place}.witness_utxo`);
  if (whole === undefined) return claimed && { ...claimed, isProven: false };
  const proven = readSpentOutput(whole, coin, `${place}.non_witness_utxo`);
  const isSame =
    claimed === undefined ||
    (claimed.value === proven.value && equalBytes(claimed.script, proven.script));
  if (!isSame) {
    refuseTransaction(`${place}.witness_utxo`, 'expected the output that non_witness_utxo has');
  }
  return { ...proven, isProven: true };
}

function checkOwnership({ scriptName }: BitcoinAccount, inputs: readonly PsbtInput[]): void {
  const own = inputs.filter(({ isOurs }) => isOurs).length;
  if (own === 0) {
    refuseTransaction('inputs', 'expected an input that spends from the address that signs');
  }
  if (own > bitcoinLimits.signatures) {
    const expected = `expected at most ${bitcoinLimits.signatures} of the address that signs`;
    refuseTransaction('inputs', `${expected}, got ${own}`);
  }
  if (scriptName !== 'P2TR') return;
  const unknown = inputs.findIndex(({ spent }) => spent === undefined);
  // BIP-341 hashes the amounts and scripts of all inputs.
  if (unknown !== -1) {
    refuseTransaction(`inputs[${unknown}].witness_utxo`, 'expected it in every input');
  }
}

/** Before segwit, each signature hashes the whole transaction again, so the hashed bytes are bounded. */
function checkHashedBytes(
  { scriptName }: BitcoinAccount,
  globalEntries: readonly PsbtEntry[],
  inputs: readonly PsbtInput[],
): void {
  if (scriptName !== 'P2PKH') return;
  const length = valueOfType(globalEntries, fieldTypes.unsignedTransaction)?.length ?? 0;
  const hashed = length * inputs.filter(({ isOurs }) => isOurs).length;
  if (hashed > bitcoinLimits.legacyHashedBytes) {
    const expected = `expected at most ${bitcoinLimits.legacyHashedBytes} bytes to hash for signatures`;
    refuseTransaction('inputs', `${expected}, got ${hashed}: sign fewer inputs at once`);
  }
}

/** Rejects sums above 21 million coins, and outputs above the inputs if all of their amounts are known. */
function checkAmounts({ outputs }: PlainTransaction, inputs: readonly PsbtInput[]): void {
  const paid = sumOf(outputs, `${unsignedPlace}.outputs`);
  const known = inputs.flatMap(({ spent }) => (spent === undefined ? [] : [spent]));
  const spent = sumOf(known, 'inputs');
  if (known.length === inputs.length && paid > spent) {
    const got = `got ${paid} satoshis out of ${spent}`;
    refuseTransaction(`${unsignedPlace}.outputs`, `expected no more out than in, ${got}`);
  }
}

function sumOf(outputs: readonly { readonly value: bigint }[], place: string): bigint {
  let sum = 0n;
  for (const { value } of outputs) sum += value;
  if (sum > bitcoinLimits.satoshis) {
    refuseTransaction(place, `expected at most 21 million coins, got ${sum} satoshis`);
  }
  return sum;
}
