import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schnorr } from '@noble/curves/secp256k1.js';
import { hex } from '../../../../src/core/base/bytes.ts';
import { bitcoinFormat } from '../../../../src/core/chains/bitcoin/index.ts';
import { readPsbt } from '../../../../src/core/chains/bitcoin/read.ts';
import { writeBitcoin } from '../../../../src/core/chains/bitcoin/write.ts';
import type { SigningAccount } from '../../../../src/core/chains/chain.ts';
import { UnreadableTransaction } from '../../../../src/core/chains/unreadable.ts';
import type { Signature } from '../../../../src/core/crypto/curve.ts';
import { curves } from '../../../../src/core/crypto/curves.ts';
import { signSchnorrAll, tweakPrivateKey } from '../../../../src/core/crypto/schnorr.ts';
import {
  accountOf,
  type MalformedVector,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../../../support/transaction_vectors.ts';

type InputSignature = {
  readonly input: number;
  readonly signature: string;
  readonly compare: 'exact' | 'verify';
  readonly verifyKey?: string;
  readonly sighash: string;
};
type Vector = TransactionVector & {
  readonly signedInputs: readonly number[];
  readonly signatures: readonly InputSignature[];
};
const vectors = readVectors<Vector>('bitcoin');

test('there are 32 transactions', () => assert.equal(vectors.length, 32));

for (const vector of vectors) {
  test(`${vector.name}: read, written again and signed`, () => {
    const bytes = vectorBytes(vector.unsignedTransaction);
    const transaction = bitcoinFormat.read(bytes, accountOf(vector));
    assert.deepEqual(writeBitcoin(transaction), bytes);
    assert.deepEqual(
      transaction.inputs.flatMap(({ isOurs }, i) => (isOurs ? [i] : [])),
      vector.signedInputs,
    );
    const digests = bitcoinFormat.signedBytes(transaction);
    assert.deepEqual(
      digests.map(hex),
      vector.signatures.map(({ sighash }) => sighash),
    );
    const signed = bitcoinFormat.attach(transaction, sign(vector, digests));
    assertSamePsbt(signed, vectorBytes(vector.signedTransaction));
    for (const { input, compare, signature, sighash, verifyKey } of vector.signatures) {
      const value = signatureOf(signed, input);
      if (compare === 'exact') assert.equal(hex(value), signature);
      assert.ok(
        verifyKey === undefined ||
          schnorr.verify(value, vectorBytes(sighash), vectorBytes(verifyKey)),
      );
    }
    assert.throws(() => bitcoinFormat.read(signed, accountOf(vector)), UnreadableTransaction);
  });
}

function sign(vector: Vector, digests: readonly Uint8Array[]): Signature[] {
  const key = vectorBytes(vector.privateKey);
  if (vector.addressFormat.endsWith('P2TR')) return signSchnorrAll(tweakPrivateKey(key), digests);
  return digests.map((digest) => curves.CURVE_SECP256K1.sign(key, digest));
}

/** Returns the signature of an input, a partial signature or that of the key path. */
function signatureOf(psbt: Uint8Array, input: number): Uint8Array {
  const entry = readPsbt(psbt).inputs[input]?.find(({ type }) => type === 0x02 || type === 0x13);
  assert.ok(entry !== undefined, `input ${input} is signed`);
  return entry.value;
}

/** Compares PSBTs; the entries of a map may have any order. */
function assertSamePsbt(got: Uint8Array, expected: Uint8Array): void {
  const [a, b] = [got, expected].map((bytes) => {
    const { globalEntries, inputs, outputs } = readPsbt(bytes);
    return [globalEntries, ...inputs, ...outputs].map((entries) =>
      entries.map(({ key, value }) => `${hex(key)}: ${hex(value)}`).toSorted(),
    );
  });
  assert.deepEqual(a, b);
}

/** The path and the reason of each refusal. */
const refusals: Readonly<Record<string, string>> = {
  'another magic': 'magic: expected 70736274ff',
  'output map missing': 'outputs[0]: expected a map, got the end',
  'no unsigned transaction': 'global.unsigned_tx: expected a transaction, got none',
  'two witness outputs for one input': 'inputs[0].witness_utxo: expected each key once',
  'script in the unsigned transaction':
    'global.unsigned_tx.inputs[0].script_sig: expected an empty script',
  'no inputs': 'global.unsigned_tx.inputs: expected at least one, got none',
  'the same coin twice': 'global.unsigned_tx.inputs[1]: expected each coin once',
  'number of inputs in three bytes':
    'global.unsigned_tx.inputs: expected 1 as a compact size in its shortest form',
  'more out than in':
    'global.unsigned_tx.outputs: expected no more out than in, got 100001 satoshis out of 100000',
  'output of 2^63':
    'global.unsigned_tx.outputs[0].value: expected at most 21 million coins, got 9223372036854775808 satoshis',
  'ours by key, not by address':
    'inputs: expected an input that spends from the address that signs',
  'p2pkh with witness_utxo':
    'inputs[0].witness_utxo: expected no such field in an input of a P2PKH address',
  'p2pkh, output that is not there':
    'inputs[0].non_witness_utxo: expected a transaction with an output 2',
  'sighash NONE': 'inputs[0].sighash_type: expected 01000000, got 02000000',
  'sighash ALL, anyone can pay': 'inputs[0].sighash_type: expected 01000000, got 81000000',
  'taproot, sighash NONE': 'inputs[0].sighash_type: expected 00000000, got 02000000',
  'taproot with a leaf script':
    'inputs[0].tap_leaf_script: expected no such field in an input of a P2TR address',
  'p2wsh without its script':
    "inputs[0].witness_script: expected the script of the account's public key, got none",
  'p2wpkh, redeem script that does not belong':
    'inputs[0].redeem_script: expected no such field in an input of a P2WPKH address',
  'version 2': 'global.field_02: expected version 0 of the format, got a field of version 2',
  'version 7': 'global.version: expected 00000000, got 07000000',
};

type Malformed = MalformedVector & { readonly privateKey: string; readonly signWith: string };

/** The hosted service refuses this row. Bitcoin Core writes such PSBTs, and both forms prove the amount. */
const bothForms = 'both kinds of outputs, segwit';

const rows = readVectors<Malformed>('malformed').filter(
  // Invalid hex is refused before the transaction is read.
  ({ chain, code }) => chain === 'bitcoin' && code !== 'hex',
);
const malformed = rows.filter(({ name }) => name !== bothForms);

function accountOfRow({ privateKey, signWith }: Malformed): SigningAccount {
  const publicKey = curves.CURVE_SECP256K1.publicKeyOf(vectorBytes(privateKey));
  const format = formats.find(([start]) => signWith.startsWith(start))?.[1];
  assert.ok(format !== undefined);
  return { address: signWith, format, publicKey };
}

test('both forms of a spent output that agree are accepted', () => {
  const row = rows.find(({ name }) => name === bothForms);
  assert.ok(row !== undefined);
  const read = bitcoinFormat.read(vectorBytes(row.unsignedTransaction), accountOfRow(row));
  assert.deepEqual(
    read.inputs.map(({ isOurs, spent }) => [isOurs, spent?.isProven]),
    [[true, true]],
  );
});

for (const row of malformed) {
  const { name, unsignedTransaction } = row;
  test(`${name}: refused`, () => {
    assert.throws(
      () => bitcoinFormat.read(vectorBytes(unsignedTransaction), accountOfRow(row)),
      (error) => {
        assert.ok(error instanceof UnreadableTransaction);
        assert.equal(error.message, refusals[name]);
        return true;
      },
    );
  });
}

/** Address formats by the first characters of the addresses in malformed rows. */
const formats = [
  ['bc1p', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR'],
  ['bc1qrm', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WSH'],
  ['bc1q', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH'],
  ['1', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH'],
] as const;

test('every malformed transaction is there', () => {
  assert.deepEqual(
    malformed.map(({ name }) => name),
    Object.keys(refusals),
  );
});
