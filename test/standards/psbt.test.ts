// PSBTs of BIP-174, BIP-370 and BIP-371.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schnorr } from '@noble/curves/secp256k1.js';
import { type BitcoinFormatName, bitcoinFormats } from '../../src/core/address/bitcoin.ts';
import { concatBytes, hex } from '../../src/core/base/bytes.ts';
import { bitcoinFormat } from '../../src/core/chains/bitcoin/index.ts';
import { readPsbt } from '../../src/core/chains/bitcoin/read.ts';
import { writeBitcoin } from '../../src/core/chains/bitcoin/write.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { bytes, readVectors } from './vector_files.ts';

type Row = {
  readonly name: string;
  readonly bip: 174 | 370 | 371;
  readonly kind: 'valid' | 'invalid' | 'not_to_be_signed';
  readonly psbt: string;
};
const rows = readVectors<readonly Row[]>('bips/psbt.json');
const psbtOf = (name: string) =>
  bytes(rows.find((row) => row.name === name)?.psbt ?? assert.fail(name));

/** The place that a reader complains about; undefined if it accepts the PSBT. */
function refusedPlace(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    assert(error instanceof UnreadableTransaction, String(error));
    return error.place;
  }
}

test('an invalid PSBT is refused, a valid one of version 0 is read and written again', () => {
  const counts = { refused: 0, read: 0, withoutInputs: 0 };
  for (const { name, bip, kind, psbt } of rows) {
    const place = refusedPlace(() => readPsbt(bytes(psbt)));
    if (kind === 'invalid' || bip === 370) {
      assert.notEqual(place, undefined, name);
      counts.refused += 1;
    } else if (place === 'global.unsigned_tx.inputs') {
      // A transaction without inputs, which BIP-174 lets a creator write.
      assert.match(name, /^BIP-174 valid (9|10)$/);
      counts.withoutInputs += 1;
    } else {
      assert.equal(place, undefined, name);
      const read = readPsbt(bytes(psbt));
      const inputs = read.inputs.map((entries) => ({ entries }));
      assert.equal(hex(writeBitcoin({ ...read, inputs })), psbt, name);
      counts.read += 1;
    }
  }
  assert.deepEqual(counts, { refused: 78, read: 18, withoutInputs: 2 });
});

test('BIP-370: each PSBT of version 2 is refused for its version', () => {
  for (const { psbt } of rows.filter(({ bip }) => bip === 370)) {
    assert.throws(
      () => readPsbt(bytes(psbt)),
      (error) => error instanceof UnreadableTransaction && /version|00000000/.test(error.message),
    );
  }
});

test('BIP-174: no account signs a PSBT that a signer must refuse', () => {
  const formats = Object.keys(bitcoinFormats) as BitcoinFormatName[];
  let tried = 0;
  for (const { name, psbt } of rows.filter(({ kind }) => kind === 'not_to_be_signed')) {
    for (const publicKey of compressedKeysIn(psbt)) {
      for (const format of formats) {
        const account = { address: '', format, publicKey };
        assert.notEqual(
          refusedPlace(() => bitcoinFormat.read(bytes(psbt), account)),
          undefined,
          `${name} by ${format}`,
        );
        tried += 1;
      }
    }
  }
  assert(tried >= 4 * formats.length, `${tried} accounts`);
});

/** Returns the keys of signatures and derivations: such a map key has 34 bytes and starts with its type. */
function compressedKeysIn(psbt: string): readonly Uint8Array[] {
  const found = psbt.matchAll(/22(?:02|06)(?<key>0[23][0-9a-f]{64})/g);
  const keys = new Set(Array.from(found, ({ groups }) => groups?.['key'] ?? ''));
  return [...keys].map(bytes);
}

test('BIP-371: the signature of the proposal is one of the hash that is signed here', () => {
  const unsigned = psbtOf('BIP-371 valid 1');
  const internal = entryValue(unsigned, /0117(?:20)(?<value>[0-9a-f]{64})/);
  const signature = entryValue(psbtOf('BIP-371 valid 2'), /011340(?<value>[0-9a-f]{128})/);
  const account = {
    address: '',
    format: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR',
    publicKey: concatBytes(Uint8Array.of(2), internal),
  } as const;
  const transaction = bitcoinFormat.read(unsigned, account);
  const [digest] = bitcoinFormat.signedBytes(transaction);
  assert(digest !== undefined);
  // OP_1 and 32 bytes: the output key.
  const outputKey = transaction.inputs[0]?.spent?.script.subarray(2) ?? new Uint8Array();
  assert(schnorr.verify(signature, digest, outputKey));
  digest[0] = (digest[0] ?? 0) ^ 1;
  assert(!schnorr.verify(signature, digest, outputKey));
});

function entryValue(psbt: Uint8Array, entry: RegExp): Uint8Array {
  return bytes(entry.exec(hex(psbt))?.groups?.['value'] ?? assert.fail(String(entry)));
}
