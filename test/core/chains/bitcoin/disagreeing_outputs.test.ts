// An input of another address has its spent output in both forms; the fee in policies depends on them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { Transaction as Earlier } from 'bitcoinjs-lib';
import { bitcoinKind } from '../../../../src/core/transactions/bitcoin/index.ts';

const keyOf = (byte: number) => secp256k1.getPublicKey(new Uint8Array(32).fill(byte), true);
const own = p2wpkh(keyOf(7));
const other = p2wpkh(keyOf(8));
const account = {
  format: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH',
  address: String(own.address),
  publicKey: keyOf(7),
} as const;

/** The earlier transaction; the other address spends its second output. */
const earlier = new Earlier();
earlier.addInput(new Uint8Array(32).fill(3), 0);
earlier.addOutput(own.script, 1n);
earlier.addOutput(other.script, 50_000n);

/** A PSBT with the other spent output in both forms. */
const psbt = new Transaction();
psbt.addInput({
  txid: '11'.repeat(32),
  index: 0,
  witnessUtxo: { script: own.script, amount: 100_000n },
});
psbt.addInput({
  txid: earlier.getId(),
  index: 1,
  nonWitnessUtxo: earlier.toBuffer(),
  witnessUtxo: { script: other.script, amount: 50_000n },
});
psbt.addOutput({ script: other.script, amount: 149_000n });
const hex = psbt.toPSBT(0).toHex();
/** The entry of the spent output: key, length, amount, script. */
const entry = `01011f50c300000000000016${other.script.toHex()}`;
assert.equal(hex.split(entry).length, 2);

/** Returns the fee of the PSBT with this entry instead. */
function feeWith(changed: string): unknown {
  const read = bitcoinKind.format.read(Uint8Array.fromHex(hex.replace(entry, changed)), account);
  const { tx } = bitcoinKind.facts(read, account, new Map())['bitcoin'] as {
    readonly tx: { readonly fee: unknown };
  };
  return tx.fee;
}

test('a PSBT whose two forms of an output disagree is refused', () => {
  assert.equal(feeWith(entry), 1_000n);
  const message = 'inputs[1].witness_utxo: expected the output that non_witness_utxo has';
  for (const changed of [
    entry.replace('50c3', '51c3'),
    entry.replace('50c3', '4fc3'),
    entry.replace(other.script.toHex(), p2wpkh(keyOf(9)).script.toHex()),
  ]) {
    assert.throws(() => feeWith(changed), { message });
  }
});
