// The interpretation of a PSBT by bitcoinjs-lib and @scure/btc-signer.

import { bech32m } from '@scure/base';
import * as scure from '@scure/btc-signer';
import { address, crypto, networks, Psbt, Transaction } from 'bitcoinjs-lib';
import type { BitcoinTransaction } from '../../src/core/chains/bitcoin/transaction.ts';
import '../support/bitcoinjs_curve.ts';
import { sortedPsbt } from './psbt_mutations.ts';

export type Verdict = {
  /** The reason why a library refuses; absent if both accept. */
  readonly refused?: string;
  /** True if both libraries write the same entries again. */
  readonly isSame: boolean;
};

/** Reads a PSBT with both libraries. */
export function judgePsbt(bytes: Uint8Array): Verdict {
  let written: readonly Uint8Array[];
  try {
    written = [
      Psbt.fromBuffer(bytes).toBuffer(),
      scure.Transaction.fromPSBT(bytes, scureOptions).toPSBT(),
    ];
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error), isSame: false };
  }
  const expected = withoutVersion(bytes);
  return { isSame: written.every((each) => withoutVersion(each) === expected) };
}

/** @scure/btc-signer omits an explicit version 0, which BIP-174 permits. */
function withoutVersion(bytes: Uint8Array): string {
  return sortedPsbt(bytes).replace(/^([^|]*),fb=00000000/, '$1');
}

const scureOptions = {
  allowUnknownVersion: true,
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowLegacyWitnessUtxo: true,
  disableScriptCheck: true,
  unknown: 'ignore',
  proprietary: 'ignore',
} as const;

/** Returns the facts of what an address would sign, according to bitcoinjs-lib, as texts only. */
export function factsOfBitcoinjs(bytes: Uint8Array, signer: string): unknown {
  const psbt = Psbt.fromBuffer(bytes, { network: networks.bitcoin });
  const total = spentOutputs(psbt).reduce((sum, each) => sum + (each?.value ?? 0n), 0n);
  const paid = psbt.txOutputs.reduce((sum, { value }) => sum + value, 0n);
  return {
    version: String(psbt.version | 0),
    inputs: psbt.txInputs.map(({ hash, index, sequence }) => ({
      tx_id: hash.toReversed().toHex(),
      vout: String(index),
      sequence: String(sequence),
    })),
    outputs: psbt.txOutputs.map(({ script, value }) => ({
      value: String(value),
      script_pubkey: script.toHex(),
      address: addressOf(script),
    })),
    locktime: String(psbt.locktime),
    fee: unknownAmounts(bytes, signer).length > 0 ? '' : String(total - paid),
  };
}

/**
 * Returns the positions of inputs with an unknown amount: they have no previous transaction, and some
 * signature of the address does not hash the amount.
 */
export function unknownAmounts(bytes: Uint8Array, signer: string): readonly number[] {
  const psbt = Psbt.fromBuffer(bytes, { network: networks.bitcoin });
  const script = address.toOutputScript(signer, networks.bitcoin).toHex();
  const spent = spentOutputs(psbt);
  const all = spent.map((_, i) => i);
  const hashedAmounts = all
    .filter((i) => spent[i]?.script.toHex() === script)
    .map((i) => {
      // BIP-341 hashes the amounts of all inputs, BIP-143 that of its own input.
      if (/^5120.{64}$/.test(script)) return all;
      const program = psbt.data.inputs[i]?.redeemScript?.toHex() ?? script;
      return /^(0014.{40}|0020.{64})$/.test(program) ? [i] : [];
    });
  return all.filter((i) => {
    const isHashed = hashedAmounts.every((amounts) => amounts.includes(i));
    return spent[i] === undefined || !(isHashed || hasPreviousTransaction(psbt, i));
  });
}

/** Returns true if the PSBT has the transaction whose hash the input names. */
function hasPreviousTransaction(psbt: Psbt, i: number): boolean {
  const previous = psbt.data.inputs[i]?.nonWitnessUtxo;
  if (previous === undefined) return false;
  return Transaction.fromBuffer(previous).getHash().toHex() === psbt.txInputs[i]?.hash.toHex();
}

/** Returns the hashes to sign, according to bitcoinjs-lib and, as far as it has them, @scure/btc-signer. */
export function hashesOf(bytes: Uint8Array, transaction: BitcoinTransaction): readonly string[][] {
  const psbt = Psbt.fromBuffer(bytes);
  const plain = Transaction.fromBuffer(psbt.data.getTransaction());
  const other = scure.Transaction.fromPSBT(bytes, scureOptions);
  const spent = spentOutputs(psbt);
  const { scriptName, publicKey, accountScript } = transaction;
  const keyScript = scure.OutScript.encode({ type: 'pkh', hash: crypto.hash160(publicKey) });
  const witnessScript = Uint8Array.of(33, ...publicKey, 0xac);
  return transaction.inputs.flatMap(({ isOurs }, i) => {
    if (!isOurs) return [];
    if (scriptName === 'P2PKH') return [[plain.hashForSignature(i, accountScript, 1).toHex()]];
    if (scriptName === 'P2TR') {
      const scripts = spent.map((each) => each?.script ?? new Uint8Array());
      const values = spent.map((each) => each?.value ?? 0n);
      return [
        [
          plain.hashForWitnessV1(i, scripts, values, 0).toHex(),
          other.preimageWitnessV1(i, scripts, 0, values).toHex(),
        ],
      ];
    }
    const script = scriptName === 'P2WSH' ? witnessScript : keyScript;
    const value = spent[i]?.value ?? 0n;
    return [
      [
        plain.hashForWitnessV0(i, script, value, 1).toHex(),
        other.preimageWitnessV0(i, script, 1, value).toHex(),
      ],
    ];
  });
}

function spentOutputs(psbt: Psbt) {
  return psbt.data.inputs.map(({ witnessUtxo, nonWitnessUtxo }, i) => {
    if (nonWitnessUtxo === undefined) return witnessUtxo;
    return Transaction.fromBuffer(nonWitnessUtxo).outs[psbt.txInputs[i]?.index ?? 0];
  });
}

/**
 * Returns '' if the library knows no address of the script. It knows none of anchors, of versions with
 * short programs and of keys off the curve, although BIP-350 defines them all.
 */
function addressOf(script: Uint8Array): string {
  const version = (script[0] ?? 0) - 0x50;
  const program = script.subarray(2);
  const isProgram = program.length >= 2 && program.length <= 40 && script[1] === program.length;
  if (version >= 1 && version <= 16 && isProgram) {
    return bech32m.encode('bc', [version, ...bech32m.toWords(program)]);
  }
  try {
    return address.fromOutputScript(script, networks.bitcoin);
  } catch {
    // The library throws for scripts without an address.
    return '';
  }
}
