import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Transaction } from 'bitcoinjs-lib';
import { bytesOfHex, concatBytes, hex } from '../../src/core/base/bytes.ts';
import { doubleSha256 } from '../../src/core/chains/bitcoin/plain.ts';
import {
  legacyPreimages,
  segwitHashes,
  taprootHashes,
} from '../../src/core/chains/bitcoin/sighash.ts';
import type { PlainTransaction } from '../../src/core/chains/bitcoin/transaction.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { derOfEcdsaSignature } from '../../src/core/crypto/signature_der.ts';
import { readVectors } from './vector_files.ts';

const singleOrNone = [2, 3];
const anyoneCanPay = 0x80;
const codeSeparator = 0xab;

test('sighash.json: 500 rows of Bitcoin Core, the 139 that cover the whole transaction', () => {
  const skipped = { otherHashType: 0, codeSeparator: 0 };
  let checked = 0;
  for (const [raw, script, input, hashType, expected] of readRows()) {
    // The service signs all inputs and outputs, which other values of the last five bits mean, too.
    if (singleOrNone.includes(hashType & 0x1f) || (hashType & anyoneCanPay) !== 0) {
      skipped.otherHashType += 1;
      continue;
    }
    // Nodes remove this code from a script. No script of the service contains it.
    if (script.includes(codeSeparator)) {
      skipped.codeSeparator += 1;
      continue;
    }
    const preimage = legacyPreimages(plainOf(raw))(input, script);
    const digest = doubleSha256(withHashType(preimage, hashType));
    assert.equal(hex(digest.toReversed()), expected);
    checked += 1;
  }
  assert.deepEqual(
    { checked, ...skipped },
    { checked: 139, otherHashType: 247, codeSeparator: 114 },
  );
});

type Bip143 = {
  readonly name: string;
  readonly unsigned: string;
  readonly input: number;
  readonly scriptCode: string;
  readonly value: string;
  readonly sighash: string;
  readonly privateKey?: string;
  readonly signature?: string;
};

test('BIP-143: hashes, and signatures by the keys that the proposal gives', () => {
  for (const row of readVectors<readonly Bip143[]>('bips/bip143.json')) {
    const [digest] = segwitHashes(plainOf(row.unsigned), [row.input], {
      scriptCode: bytes(row.scriptCode),
      spent: () => ({ value: BigInt(row.value), script: new Uint8Array() }),
    });
    assert(digest !== undefined);
    assert.equal(hex(digest), row.sighash, row.name);
    if (row.privateKey === undefined) continue;
    const signature = curves.CURVE_SECP256K1.sign(bytes(row.privateKey), digest);
    // The signature ends with the byte of SIGHASH_ALL.
    assert.equal(`${hex(derOfEcdsaSignature(signature))}01`, row.signature, row.name);
  }
});

type Bip341 = {
  readonly rawUnsignedTx: string;
  readonly spent: readonly { readonly script: string; readonly value: string }[];
  readonly inputs: readonly {
    readonly index: number;
    readonly hashType: number;
    readonly sighash: string;
  }[];
};

test('BIP-341: the hash of SIGHASH_DEFAULT, the only type of a key path that is signed here', () => {
  const { rawUnsignedTx, spent, inputs } = readVectors<Bip341>('bips/bip341.json');
  const outputs = spent.map(({ script, value }) => ({
    script: bytes(script),
    value: BigInt(value),
  }));
  const hashes = (index: number) =>
    taprootHashes(plainOf(rawUnsignedTx), [index], { spent: outputs }).map(hex);
  const ofDefault = inputs.filter(({ hashType }) => hashType === 0);
  assert.equal(ofDefault.length, 1);
  for (const { index, sighash } of ofDefault) assert.deepEqual(hashes(index), [sighash]);
  for (const { index, sighash } of inputs.filter(({ hashType }) => hashType !== 0)) {
    assert.notDeepEqual(hashes(index), [sighash]);
  }
});

type SighashRow = readonly [Uint8Array, Uint8Array, number, number, string];

/** Returns rows of Bitcoin Core from the package of a script interpreter. */
function readRows(): readonly SighashRow[] {
  const file = import.meta.resolve('bitcore-lib/test/data/sighash.json');
  const [, ...rows]: readonly [string, string, number, number, string][] = JSON.parse(
    readFileSync(new URL(file), 'utf8'),
  );
  return rows.map(([raw, script, input, hashType, hash]) => [
    bytes(raw),
    bytes(script),
    input,
    hashType,
    hash,
  ]);
}

/**
 * Decodes a transaction with another library, because some scripts and amounts here are invalid in a PSBT.
 */
function plainOf(raw: Uint8Array | string): PlainTransaction {
  const { version, ins, outs, locktime } = Transaction.fromBuffer(
    typeof raw === 'string' ? bytes(raw) : raw,
  );
  return {
    version,
    inputs: ins.map(({ hash, index, sequence }) => ({ transactionId: hash, index, sequence })),
    outputs: outs.map(({ value, script }) => ({ value, script })),
    locktime,
  };
}

function withHashType(preimage: Uint8Array, hashType: number): Uint8Array {
  const last = new Uint8Array(4);
  new DataView(last.buffer).setInt32(0, hashType, true);
  return concatBytes(preimage.subarray(0, -4), last);
}

function bytes(text: string): Uint8Array {
  const read = bytesOfHex(text);
  assert.ok(read !== undefined);
  return read;
}
