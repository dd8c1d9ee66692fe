import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p2pkh, Transaction } from '@scure/btc-signer';
import { Transaction as Earlier } from 'bitcoinjs-lib';
import { bitcoinScripts } from '../../../../src/core/address/bitcoin_scripts.ts';
import { concatBytes } from '../../../../src/core/base/bytes.ts';
import { bitcoinFormat } from '../../../../src/core/chains/bitcoin/index.ts';
import { writeOutput } from '../../../../src/core/chains/bitcoin/plain.ts';
import { readPsbt } from '../../../../src/core/chains/bitcoin/read.ts';
import { bitcoinLimits } from '../../../../src/core/chains/bitcoin/transaction.ts';
import { writeBitcoin } from '../../../../src/core/chains/bitcoin/write.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../../support/transaction_vectors.ts';

const vector = readVectors<TransactionVector>('bitcoin').find(
  ({ name }) => name === 'p2wpkh, one input, mainnet',
);
assert.ok(vector !== undefined);
const account = accountOf(vector);
const oldVector = readVectors<TransactionVector>('bitcoin').find(
  ({ name }) => name === 'p2pkh, one input, mainnet',
);
assert.ok(oldVector !== undefined);
const oldAccount = accountOf(oldVector);
const ownScript = bitcoinScripts.P2WPKH(account.publicKey);
const otherScript = Uint8Array.of(0x51);

type Parts = {
  readonly own: number;
  readonly others?: number;
  readonly outputs?: number;
  readonly value?: bigint;
  readonly scriptBytes?: number;
};

test('the maximum numbers of inputs, outputs and signatures are accepted', () => {
  const transaction = read({ own: 100, others: 400, outputs: 500 });
  assert.equal(bitcoinFormat.signedBytes(transaction).length, 100);
});

const beyond: readonly (readonly [string, Parts])[] = [
  ['inputs: expected at most 100 of the address that signs, got 101', { own: 101 }],
  ['global.unsigned_tx.inputs: expected at most 500, got 501', { own: 1, others: 500 }],
  ['global.unsigned_tx.outputs: expected at most 500, got 501', { own: 1, outputs: 501 }],
  ['global.unsigned_tx: expected at most 50000 bytes', { own: 1, scriptBytes: 50_000 }],
  [
    'inputs: expected at most 21 million coins, got 2100000000000001 satoshis',
    { own: 1, others: 1, value: 2_100_000_000_000_000n },
  ],
];

for (const [message, parts] of beyond) {
  test(`beyond a limit: ${message}`, () => assert.throws(() => read(parts), { message }));
}

test('a map with very many entries is refused early', () => {
  const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
  const entries = Array.from({ length: 60_000 }, (_, i) =>
    Uint8Array.of(4, 0xf0, i >> 16, (i >> 8) & 0xff, i & 0xff, 0),
  );
  const bytes = new Uint8Array(magic.length + 6 * entries.length);
  bytes.set(magic);
  for (const [i, entry] of entries.entries()) bytes.set(entry, magic.length + 6 * i);
  assert.throws(() => readPsbt(bytes), { message: 'global: expected at most 200 entries' });
});

test('a PSBT of more than a MiB is refused before it is read', () => {
  assert.throws(() => readPsbt(new Uint8Array(1024 * 1024 + 1)), {
    message: 'psbt: expected at most 1048576 bytes',
  });
});

test('a count or length far beyond the bytes is refused without an allocation', () => {
  const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
  const huge = Uint8Array.of(0xff, 0, 0, 0, 0, 0, 0, 0, 0x80);
  assert.throws(() => readPsbt(concatBytes(magic, huge)), {
    message: 'global: expected 9223372036854776000 bytes, got 0',
  });
  const inputs = concatBytes(Uint8Array.of(1, 0, 0, 0), huge);
  const global = concatBytes(magic, Uint8Array.of(1, 0, inputs.length), inputs, Uint8Array.of(0));
  assert.throws(() => readPsbt(global), {
    message: 'global.unsigned_tx.inputs: expected 9223372036854776000 items, got 0 bytes for them',
  });
});

/** Reads a PSBT. Its first coin is worth `value`, each other coin a satoshi, and outputs pay nothing. */
function read({ own, others = 0, outputs = 1, value = 1n, scriptBytes = 1 }: Parts) {
  const scripts = Array.from({ length: own + others }, (_, i) =>
    i < own ? ownScript : otherScript,
  );
  const inputs = scripts.map((script, i) => ({
    entries: [
      {
        type: 1,
        key: Uint8Array.of(1),
        value: writeOutput({ value: i === 0 ? value : 1n, script }),
      },
    ],
  }));
  const unsigned = {
    version: 2,
    inputs: scripts.map((_, index) => ({
      transactionId: new Uint8Array(32),
      index,
      sequence: 0xfffffffd,
    })),
    outputs: Array.from({ length: outputs }, () => ({
      value: 0n,
      script: new Uint8Array(scriptBytes).fill(0x51),
    })),
    locktime: 0,
  };
  const globalEntries = [{ type: 0, key: Uint8Array.of(0), value: new Uint8Array(0) }];
  const bytes = writeBitcoin({
    unsigned,
    globalEntries,
    inputs,
    outputs: unsigned.outputs.map(() => []),
  });
  return bitcoinFormat.read(bytes, account);
}

/** Returns a PSBT with 100 inputs of a P2PKH address, each with its previous transaction. */
function oldCoins(outputScriptBytes: number): Uint8Array {
  const { publicKey } = oldAccount;
  const psbt = new Transaction({ allowUnknownOutputs: true });
  const { script } = p2pkh(publicKey);
  for (let i = 0; i < 100; i += 1) {
    const earlier = new Earlier();
    earlier.addInput(new Uint8Array(32).fill(i + 1), 0);
    earlier.addOutput(script, 1_000n);
    psbt.addInput({ txid: earlier.getId(), index: 0, nonWitnessUtxo: earlier.toBuffer() });
  }
  psbt.addOutput({ script: new Uint8Array(outputScriptBytes).fill(0x51), amount: 1n });
  return psbt.toPSBT(0);
}

test('the bytes that pre-segwit signatures hash are bounded together', () => {
  // 100 inputs of 41 bytes, and 21 bytes around them and the script.
  const most = bitcoinLimits.legacyHashedBytes / 100 - 4_100 - 21;
  const transaction = bitcoinFormat.read(oldCoins(most), oldAccount);
  assert.equal(bitcoinFormat.signedBytes(transaction).length, 100);
  assert.throws(() => bitcoinFormat.read(oldCoins(most + 1), oldAccount), {
    message:
      'inputs: expected at most 2500000 bytes to hash for signatures, got 2500100: sign fewer inputs at once',
  });
});
