// Accounts of one key share digests (docs/THREAT_MODEL.md): a policy on one account does not bind the
// others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2sh, p2wpkh, Transaction } from '@scure/btc-signer';
import type { AddressFormatName } from '../../../../src/core/address/index.ts';
import { bitcoinKind } from '../../../../src/core/transactions/bitcoin/index.ts';

const publicKey = secp256k1.getPublicKey(new Uint8Array(32).fill(7), true);
const plain = p2wpkh(publicKey);
const nested = p2sh(plain);

/** Returns the digest that an account of the key signs for a transaction with one coin of this script. */
function digestOf(
  format: AddressFormatName,
  address: string,
  spent: { script: Uint8Array; redeemScript?: Uint8Array },
) {
  const transaction = new Transaction();
  const { script, redeemScript } = spent;
  transaction.addInput({
    txid: '11'.repeat(32),
    index: 0,
    witnessUtxo: { script, amount: 100_000n },
    ...(redeemScript === undefined ? {} : { redeemScript }),
  });
  transaction.addOutput({ script: plain.script, amount: 99_000n });
  const account = { format, address, publicKey };
  const read = bitcoinKind.format.read(transaction.toPSBT(0), account);
  const [digest] = bitcoinKind.format.signedBytes(read);
  return digest?.toHex();
}

test('P2WPKH and its nested form sign the same digest, on every network', () => {
  const ofPlain = digestOf('ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', String(plain.address), plain);
  const ofNested = digestOf('ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH', String(nested.address), nested);
  const ofTestnet = digestOf('ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH', String(plain.address), plain);
  assert.ok(ofPlain !== undefined);
  assert.equal(ofNested, ofPlain);
  assert.equal(ofTestnet, ofPlain);
});
