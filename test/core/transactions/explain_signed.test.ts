// An approval is explained for an account that only the service names. A service that names a wrong account
// gets no explanation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Psbt, payments } from 'bitcoinjs-lib';
import { type AddressFormatName, addressFormats } from '../../../src/core/address/index.ts';
import { hex } from '../../../src/core/base/bytes.ts';
import { curves } from '../../../src/core/crypto/curves.ts';
import { explainTransaction } from '../../../src/core/transactions/explain_signed.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const own = bitcoinKey(1);
const theirs = bitcoinKey(2);

test('a Bitcoin transaction is explained with the account that signs it', () => {
  const explained = explainTransaction('TRANSACTION_TYPE_BITCOIN', theftOf(own), account(own));
  assert.match(explained?.summary ?? '', new RegExp(`send 0.9 BTC to ${theirs.address}`));
});

test('the public key of another account does not turn its payment into change', () => {
  const lie = { ...account(own), publicKey: account(theirs).publicKey };
  assert.equal(explainTransaction('TRANSACTION_TYPE_BITCOIN', theftOf(own), lie), undefined);
});

test('a malformed key and a format of another chain give no explanation', () => {
  const { publicKey } = account(own);
  const address = addressFormats.ADDRESS_FORMAT_ETHEREUM.encode(own.publicKey, 'CURVE_SECP256K1');
  const lies = [
    { ...account(own), publicKey: '' },
    { ...account(own), publicKey: `05${publicKey.slice(2)}` },
    { ...account(own), addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH' },
    { address, addressFormat: 'ADDRESS_FORMAT_ETHEREUM', publicKey },
    { address: publicKey, addressFormat: 'ADDRESS_FORMAT_COMPRESSED', publicKey },
  ];
  for (const lie of lies) {
    assert.equal(explainTransaction('TRANSACTION_TYPE_BITCOIN', theftOf(own), lie), undefined);
  }
});

for (const chain of ['bitcoin', 'ethereum', 'solana', 'tron', 'tempo']) {
  test(`each vector of ${chain} is explained for its own account, and for no other key`, () => {
    for (const vector of readVectors<TransactionVector>(chain)) {
      const { address, format, publicKey } = accountOf(vector);
      const told = { address, addressFormat: format, publicKey: hex(publicKey) };
      const type = `TRANSACTION_TYPE_${chain.toUpperCase()}`;
      const explain = (said: typeof told) =>
        explainTransaction(type, vector.unsignedTransaction, said);
      assert.notEqual(explain(told), undefined, vector.name);
      const other = otherKey(format);
      assert.equal(explain({ ...told, publicKey: hex(other) }), undefined, vector.name);
    }
  });
}

type Key = {
  readonly address: string;
  readonly publicKey: Uint8Array;
  readonly script: Uint8Array;
};

function bitcoinKey(number: number): Key {
  const publicKey = curves.CURVE_SECP256K1.publicKeyOf(new Uint8Array(32).fill(number));
  const { address, output: script } = payments.p2wpkh({ pubkey: publicKey });
  assert(address !== undefined && script !== undefined);
  return { address, publicKey, script };
}

function account({ address, publicKey }: Key) {
  const addressFormat = 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH';
  return { address, addressFormat, publicKey: hex(publicKey) };
}

/**
 * Returns a PSBT with a coin of the victim and a small coin of the thief, which pays nearly all to the
 * thief.
 */
function theftOf(victim: Key): string {
  const psbt = new Psbt();
  psbt.addInput({
    hash: new Uint8Array(32).fill(3),
    index: 0,
    witnessUtxo: { script: victim.script, value: 90_000_000n },
  });
  psbt.addInput({
    hash: new Uint8Array(32).fill(4),
    index: 0,
    witnessUtxo: { script: theirs.script, value: 1_000n },
  });
  psbt.addOutput({ script: theirs.script, value: 90_000_000n });
  return psbt.toHex();
}

function otherKey(format: AddressFormatName): Uint8Array {
  const [curve] = addressFormats[format].curves;
  assert(curve !== undefined);
  return curves[curve].publicKeyOf(new Uint8Array(32).fill(9));
}
