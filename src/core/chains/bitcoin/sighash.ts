// The signed hashes of a transaction: legacy, BIP-143 and BIP-341. Signatures always cover all inputs and
// outputs (SIGHASH_ALL and SIGHASH_DEFAULT).

import { concatBytes, utf8 } from '../../base/bytes.ts';
import { sha256 } from '../../crypto/hashes.ts';
import { assert } from '../../errors/errors.ts';
import { doubleSha256, writeOutput } from './plain.ts';
import type { BitcoinInput, BitcoinOutput, PlainTransaction } from './transaction.ts';
import { compactSize, sizedBytes, uint32, uint64 } from './write_numbers.ts';

/** SIGHASH_ALL as the last four bytes of the preimage. */
const sighashAll = uint32(1);

/** Returns the hashes for some inputs of a transaction, in the given order. */
type Hashed<Known> = (
  transaction: PlainTransaction,
  inputs: readonly number[],
  known: Known,
) => Uint8Array[];

/** Returns the legacy hashes of inputs with the same script. */
export const legacyHashes: Hashed<{ readonly script: Uint8Array }> = (
  transaction,
  inputs,
  { script },
) => {
  const write = legacyPreimages(transaction);
  return inputs.map((input) => doubleSha256(write(input, script)));
};

/**
 * Returns a function that writes the legacy preimage of an input: the transaction with `script` in the signed
 * input and empty scripts in the others.
 */
export function legacyPreimages({
  version,
  inputs,
  outputs,
  locktime,
}: PlainTransaction): (input: number, script: Uint8Array) => Uint8Array {
  const start = concatBytes(uint32(version), compactSize(inputs.length));
  const empty = concatBytes(...inputs.flatMap((each) => withScript(each, noScript)));
  const end = concatBytes(
    compactSize(outputs.length),
    ...outputs.map(writeOutput),
    uint32(locktime),
    sighashAll,
  );
  return (input, script) => {
    const signed = inputs[input];
    assert(signed !== undefined, 'an input that is signed is of the transaction');
    return concatBytes(
      start,
      empty.subarray(0, emptyInputBytes * input),
      ...withScript(signed, script),
      empty.subarray(emptyInputBytes * (input + 1)),
      end,
    );
  };
}

const noScript = new Uint8Array(0);
/** Outpoint, length of no script, sequence. */
const emptyInputBytes = 41;

function withScript(input: BitcoinInput, script: Uint8Array): Uint8Array[] {
  return [outpoint(input), sizedBytes(script), uint32(input.sequence)];
}

/** Returns the BIP-143 hashes of inputs with the same script code. */
export const segwitHashes: Hashed<{
  readonly scriptCode: Uint8Array;
  readonly spent: (input: number) => BitcoinOutput;
}> = (transaction, inputs, known) => {
  const write = segwitPreimages(transaction);
  return inputs.map((input) =>
    doubleSha256(write(input, known.scriptCode, known.spent(input).value)),
  );
};

/** Returns a function that writes the BIP-143 preimage of an input. Computes the shared parts once. */
function segwitPreimages({
  version,
  inputs,
  outputs,
  locktime,
}: PlainTransaction): (input: number, scriptCode: Uint8Array, value: bigint) => Uint8Array {
  const outpoints = doubleSha256(concatBytes(...inputs.map(outpoint)));
  const sequences = doubleSha256(concatBytes(...inputs.map(({ sequence }) => uint32(sequence))));
  const outputsHash = doubleSha256(concatBytes(...outputs.map(writeOutput)));
  const start = concatBytes(uint32(version), outpoints, sequences);
  const end = concatBytes(outputsHash, uint32(locktime), sighashAll);
  return (input, scriptCode, value) => {
    const signed = inputs[input];
    assert(signed !== undefined, 'an input that is signed is of the transaction');
    return concatBytes(
      start,
      outpoint(signed),
      sizedBytes(scriptCode),
      uint64(value),
      uint32(signed.sequence),
      end,
    );
  };
}

/** Returns the BIP-341 hashes for the key path. `spent` contains the output that each input spends. */
export const taprootHashes: Hashed<{ readonly spent: readonly BitcoinOutput[] }> = (
  transaction,
  inputs,
  { spent },
) => {
  const write = taprootPreimages(transaction, spent);
  return inputs.map((input) => sha256(concatBytes(tagHash, tagHash, write(input))));
};

const tagHash = sha256(utf8('TapSighash'));

/** Returns a function that writes the BIP-341 signature message of an input, with the epoch byte. */
function taprootPreimages(
  { version, inputs, outputs, locktime }: PlainTransaction,
  spent: readonly BitcoinOutput[],
): (input: number) => Uint8Array {
  assert(spent.length === inputs.length, 'every spent output is known');
  const start = concatBytes(
    // Epoch, and the hash type SIGHASH_DEFAULT.
    Uint8Array.of(0, 0),
    uint32(version),
    uint32(locktime),
    sha256(concatBytes(...inputs.map(outpoint))),
    sha256(concatBytes(...spent.map(({ value }) => uint64(value)))),
    sha256(concatBytes(...spent.map(({ script }) => sizedBytes(script)))),
    sha256(concatBytes(...inputs.map(({ sequence }) => uint32(sequence)))),
    sha256(concatBytes(...outputs.map(writeOutput))),
    // Key path without annex.
    Uint8Array.of(0),
  );
  return (input) => concatBytes(start, uint32(input));
}

function outpoint({ transactionId, index }: BitcoinInput): Uint8Array {
  return concatBytes(transactionId, uint32(index));
}
