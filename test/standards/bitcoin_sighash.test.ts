import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Transaction } from 'bitcoinjs-lib';
import { bytesOfHex, concatBytes, hex } from '../../src/core/base/bytes.ts';
import { doubleSha256 } from '../../src/core/chains/bitcoin/plain.ts';
import {
  legacyPreimages,
  segwitPreimages,
  taprootHashes,
  taprootPreimages,
} from '../../src/core/chains/bitcoin/sighash.ts';
import type { PlainTransaction } from '../../src/core/chains/bitcoin/transaction.ts';
import { signSchnorr, tweakPrivateKey, verifySchnorr } from '../../src/core/crypto/schnorr.ts';

const singleOrNone = [2, 3];
const anyoneCanPay = 0x80;
const codeSeparator = 0xab;

test('sighash.json: 500 rows of Bitcoin Core, the 139 that cover the whole transaction', () => {
  const skipped = { otherHashType: 0, codeSeparator: 0 };
  let checked = 0;
  for (const [raw, script, input, hashType, expected] of readRows()) {
    // The service signs all inputs and outputs. Any other last five bits mean the same.
    if (singleOrNone.includes(hashType & 0x1f) || (hashType & anyoneCanPay) !== 0) {
      skipped.otherHashType += 1;
      continue;
    }
    // Nodes drop this code from the script; no script of the service has it.
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

test('BIP-143: the four examples with SIGHASH_ALL', () => {
  const rows = readVectors<readonly Bip143Row[]>('bip143');
  for (const row of rows) {
    const transaction = plainOf(row.unsignedTransaction);
    const outpoint = bytes(row.outpoint);
    const input = transaction.inputs.findIndex(
      ({ transactionId }) => hex(transactionId) === hex(outpoint.subarray(0, 32)),
    );
    const write = segwitPreimages(transaction);
    const preimage = write(input, bytes(row.scriptCode), BigInt(row.value));
    assert.equal(hex(preimage), row.preimage);
    assert.equal(hex(doubleSha256(preimage)), row.sigHash);
  }
  assert.equal(rows.length, 4);
});

test('BIP-341: messages, hashes and signatures of the key path', () => {
  const [spending] = readVectors<Bip341>('bip341').keyPathSpending;
  assert.ok(spending !== undefined);
  const transaction = plainOf(spending.given.rawUnsignedTx);
  const spent = spending.given.utxosSpent.map(({ amountSats, scriptPubKey }) => ({
    value: BigInt(amountSats),
    script: bytes(scriptPubKey),
  }));
  const write = taprootPreimages(transaction, spent);
  const covered = spending.inputSpending.filter(({ given }) => given.hashType <= 1);
  for (const { given, intermediary, expected } of covered) {
    const message = write(given.txinIndex);
    // SIGHASH_ALL is written like SIGHASH_DEFAULT, but for the byte of the type.
    message[1] = given.hashType;
    assert.equal(hex(message), intermediary.sigMsg);
    if (given.hashType !== 0) continue;
    const [hash] = taprootHashes(transaction, [given.txinIndex], { spent });
    assert.ok(hash !== undefined);
    assert.equal(hex(hash), intermediary.sigHash);
    const root = given.merkleRoot === null ? undefined : bytes(given.merkleRoot);
    const key = tweakPrivateKey(bytes(given.internalPrivkey), root);
    assert.equal(hex(key), intermediary.tweakedPrivkey);
    const { r, s } = signSchnorr(key, hash);
    assert.equal(hex(concatBytes(r, s)), expected.witness[0]);
    const outputKey = spent[given.txinIndex]?.script.subarray(2);
    assert.ok(outputKey !== undefined && verifySchnorr(outputKey, concatBytes(r, s), hash));
  }
  assert.deepEqual(
    covered.map(({ given }) => given.hashType),
    [1, 0],
  );
});

type SighashRow = readonly [Uint8Array, Uint8Array, number, number, string];

type Bip143Row = {
  readonly name: string;
  readonly unsignedTransaction: string;
  readonly outpoint: string;
  readonly scriptCode: string;
  readonly value: string;
  readonly preimage: string;
  readonly sigHash: string;
};

type Bip341 = {
  readonly keyPathSpending: readonly {
    readonly given: {
      readonly rawUnsignedTx: string;
      readonly utxosSpent: readonly {
        readonly scriptPubKey: string;
        readonly amountSats: number;
      }[];
    };
    readonly inputSpending: readonly {
      readonly given: {
        readonly txinIndex: number;
        readonly internalPrivkey: string;
        readonly merkleRoot: string | null;
        readonly hashType: number;
      };
      readonly intermediary: {
        readonly tweakedPrivkey: string;
        readonly sigMsg: string;
        readonly sigHash: string;
      };
      readonly expected: { readonly witness: readonly string[] };
    }[];
  }[];
};

function readVectors<Rows>(file: string): Rows {
  const url = new URL(`../vectors/psbt/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

function readRows(): readonly SighashRow[] {
  const [, ...rows] = readVectors<readonly [string, string, number, number, string][]>('sighash');
  return rows.map(([raw, script, input, hashType, hash]) => [
    bytes(raw),
    bytes(script),
    input,
    hashType,
    hash,
  ]);
}

/** By another library, since these transactions hold scripts and amounts that no PSBT may have. */
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
