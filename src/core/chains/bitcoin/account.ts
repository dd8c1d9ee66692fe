// The inputs that an account signs, and the required and allowed fields of such an input.

import { bitcoinPartsOf } from '../../address/bitcoin.ts';
import {
  type BitcoinNetworkName,
  type BitcoinScriptName,
  bitcoinScripts,
  redeemScript,
  witnessScript,
} from '../../address/bitcoin_scripts.ts';
import { equalBytes } from '../../base/bytes.ts';
import { assert } from '../../errors/errors.ts';
import type { SigningAccount } from '../chain.ts';
import { refuseTransaction } from '../unreadable.ts';
import { fieldTypes, inputFields } from './fields.ts';
import { valueOfType } from './maps.ts';
import type { PsbtEntry } from './transaction.ts';

export type BitcoinAccount = {
  readonly network: BitcoinNetworkName;
  readonly scriptName: BitcoinScriptName;
  readonly publicKey: Uint8Array;
  readonly accountScript: Uint8Array;
};

/** Returns the scripts of an account with a Bitcoin format. */
export function bitcoinAccountOf({ format, publicKey }: SigningAccount): BitcoinAccount {
  const parts = bitcoinPartsOf(format);
  assert(parts !== undefined, 'the account has an address of Bitcoin');
  const { network, script } = parts;
  return {
    network,
    scriptName: script,
    publicKey,
    accountScript: bitcoinScripts[script](publicKey),
  };
}

const types = fieldTypes;
const taprootFields = [
  types.tapScriptSignature,
  types.tapLeafScript,
  types.tapMerkleRoot,
  types.tapInternalKey,
  types.tapDerivation,
];

/** Rules for the account's inputs. Fields that change how an input is signed are rejected. */
type Rule = {
  /** Fields that name the spent output. At least one is required; the reader compares them. */
  readonly utxo: readonly number[];
  /** Fields with only one valid value. */
  readonly fields: readonly OwnField[];
  readonly refused: readonly number[];
  /** The only value that `sighash_type` may have. */
  readonly sighashType: number;
};

type OwnField = {
  readonly type: number;
  readonly what: string;
  readonly value: (publicKey: Uint8Array) => Uint8Array;
  readonly isOptional?: true;
};

const sighashAll = 1;
const sighashDefault = 0;

/**
 * For inputs of segwit v0, Bitcoin Core writes the whole previous transaction, with or without the spent
 * output.
 */
const eitherUtxo = [types.witnessUtxo, types.nonWitnessUtxo];

/** The section "Bitcoin" of docs/signing.md describes these rules. */
const rules: Readonly<Record<BitcoinScriptName, Rule>> = {
  P2PKH: {
    // The signature commits to no amount; only the whole previous transaction proves the amount.
    utxo: [types.nonWitnessUtxo],
    fields: [],
    refused: [types.witnessUtxo, types.redeemScript, types.witnessScript, ...taprootFields],
    sighashType: sighashAll,
  },
  P2SH: {
    utxo: eitherUtxo,
    fields: [{ type: types.redeemScript, what: 'script', value: redeemScript }],
    refused: [types.witnessScript, ...taprootFields],
    sighashType: sighashAll,
  },
  P2WPKH: {
    utxo: eitherUtxo,
    fields: [],
    refused: [types.redeemScript, types.witnessScript, ...taprootFields],
    sighashType: sighashAll,
  },
  P2WSH: {
    utxo: eitherUtxo,
    fields: [{ type: types.witnessScript, what: 'script', value: witnessScript }],
    refused: [types.redeemScript, ...taprootFields],
    sighashType: sighashAll,
  },
  P2TR: {
    utxo: eitherUtxo,
    fields: [
      {
        type: types.tapInternalKey,
        what: 'x coordinate',
        value: (publicKey) => publicKey.subarray(1),
        isOptional: true,
      },
    ],
    refused: [
      types.redeemScript,
      types.witnessScript,
      types.tapScriptSignature,
      types.tapLeafScript,
      types.tapMerkleRoot,
    ],
    sighashType: sighashDefault,
  },
};

/** Rejects an input of the account with missing or unexpected fields. */
export function checkOwnInput(
  { scriptName, publicKey }: BitcoinAccount,
  entries: readonly PsbtEntry[],
  place: string,
): void {
  const rule = rules[scriptName];
  refuseSigned(entries, place);
  for (const type of rule.refused) {
    if (entries.some((entry) => entry.type === type)) {
      refuseField(place, type, `expected no such field in an input of a ${scriptName} address`);
    }
  }
  const [utxo] = rule.utxo;
  if (utxo !== undefined && !rule.utxo.some((type) => valueOfType(entries, type) !== undefined)) {
    refuseField(place, utxo, `expected it in an input of a ${scriptName} address`);
  }
  for (const { type, what, value, isOptional } of rule.fields) {
    const got = valueOfType(entries, type);
    if (got === undefined ? !isOptional : !equalBytes(got, value(publicKey))) {
      const expected = `expected the ${what} of the account's public key`;
      refuseField(place, type, `${expected}, got ${got === undefined ? 'none' : 'another'}`);
    }
  }
  checkSighashType(rule, entries, place);
}

function refuseSigned(entries: readonly PsbtEntry[], place: string): void {
  const signed = entries.find(({ type }) => signedFields.includes(type));
  if (signed !== undefined) refuseField(place, signed.type, 'expected no signature yet');
}

const signedFields: readonly number[] = [
  types.partialSignature,
  types.tapKeySignature,
  types.finalScriptSig,
  types.finalScriptWitness,
];

function checkSighashType(rule: Rule, entries: readonly PsbtEntry[], place: string): void {
  const value = valueOfType(entries, types.sighashType);
  if (value === undefined) return;
  const [lowest, ...rest] = value;
  if (lowest !== rule.sighashType || rest.some((byte) => byte !== 0)) {
    const expected = `0${rule.sighashType}000000`;
    refuseField(place, types.sighashType, `expected ${expected}, got ${value.toHex()}`);
  }
}

function refuseField(place: string, type: number, problem: string): never {
  return refuseTransaction(`${place}.${inputFields.get(type)?.name}`, problem);
}
