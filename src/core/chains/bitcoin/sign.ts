// The hashes of a PSBT that an account signs, and the fields that receive the signatures.

import {
  type BitcoinScriptName,
  payToPublicKeyHash,
  witnessScript,
} from '../../address/bitcoin_scripts.ts';
import { hash160 } from '../../address/hash160.ts';
import { concatBytes } from '../../base/bytes.ts';
import { derOfEcdsaSignature } from '../../crypto/signature_der.ts';
import { assert } from '../../errors/errors.ts';
import type { ChainSignature } from '../chain.ts';
import { fieldTypes } from './fields.ts';
import { legacyHashes, segwitHashes, taprootHashes } from './sighash.ts';
import type { BitcoinTransaction, PsbtEntry, SpentOutput } from './transaction.ts';
import { writeBitcoin } from './write.ts';

/** Returns a hash for each input of the account, in the order of the inputs. */
export function bitcoinSignedBytes(transaction: BitcoinTransaction): readonly Uint8Array[] {
  return hashers[transaction.scriptName](transaction, ownInputsOf(transaction));
}

/** Returns the PSBT with a signature in each input of the account, not finalized. */
export function attachToBitcoin(
  transaction: BitcoinTransaction,
  signatures: readonly ChainSignature[],
): Uint8Array {
  const own = ownInputsOf(transaction);
  assert(own.length === signatures.length, 'each input of the account has a signature');
  const entryOf = new Map(
    own.map((input, i) => {
      const signature = signatures[i];
      assert(signature !== undefined, 'each input of the account has a signature');
      return [input, signatureEntry(transaction, signature)];
    }),
  );
  const inputs = transaction.inputs.map(({ entries }, i) => {
    const added = entryOf.get(i);
    return { entries: added === undefined ? entries : withEntry(entries, added) };
  });
  return writeBitcoin({ ...transaction, inputs });
}

type Hasher = (transaction: BitcoinTransaction, inputs: readonly number[]) => Uint8Array[];

const hashers: Readonly<Record<BitcoinScriptName, Hasher>> = {
  P2PKH: ({ unsigned, accountScript }, inputs) =>
    legacyHashes(unsigned, inputs, { script: accountScript }),
  P2SH: hashesOfPublicKeyHash,
  P2WPKH: hashesOfPublicKeyHash,
  P2WSH: (transaction, inputs) =>
    segwitHashes(transaction.unsigned, inputs, {
      scriptCode: witnessScript(transaction.publicKey),
      spent: (input) => spentOf(transaction, input),
    }),
  P2TR: (transaction, inputs) =>
    taprootHashes(transaction.unsigned, inputs, {
      spent: transaction.inputs.map((_, i) => spentOf(transaction, i)),
    }),
};

/** The script code of P2WPKH, bare or nested, is the script of P2PKH (BIP-143). */
function hashesOfPublicKeyHash(transaction: BitcoinTransaction, inputs: readonly number[]) {
  return segwitHashes(transaction.unsigned, inputs, {
    scriptCode: payToPublicKeyHash(hash160(transaction.publicKey)),
    spent: (input) => spentOf(transaction, input),
  });
}

function spentOf({ inputs }: BitcoinTransaction, input: number): SpentOutput {
  const spent = inputs[input]?.spent;
  assert(spent !== undefined, 'the reader knows the spent output');
  return spent;
}

function ownInputsOf({ inputs }: BitcoinTransaction): number[] {
  return inputs.flatMap(({ isOurs }, i) => (isOurs ? [i] : []));
}

/** A signature of 64 bytes implies SIGHASH_DEFAULT (BIP-371); DER has the byte of SIGHASH_ALL (BIP-174). */
function signatureEntry(
  { scriptName, publicKey }: BitcoinTransaction,
  { r, s }: ChainSignature,
): PsbtEntry {
  if (scriptName === 'P2TR') {
    const type = fieldTypes.tapKeySignature;
    return { type, key: Uint8Array.of(type), value: concatBytes(r, s) };
  }
  const type = fieldTypes.partialSignature;
  return {
    type,
    key: concatBytes(Uint8Array.of(type), publicKey),
    value: concatBytes(derOfEcdsaSignature({ r, s }), Uint8Array.of(1)),
  };
}

/** Inserts an entry before the first entry of a higher type. */
function withEntry(entries: readonly PsbtEntry[], added: PsbtEntry): readonly PsbtEntry[] {
  const higher = entries.findIndex(({ type }) => type > added.type);
  const place = higher === -1 ? entries.length : higher;
  return entries.toSpliced(place, 0, added);
}
