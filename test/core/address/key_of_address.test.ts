import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { addressFormats, addressOf } from '../../../src/core/address/index.ts';
import { isAddressOfKey } from '../../../src/core/address/key_of_address.ts';
import type { CurveName } from '../../../src/core/base/enums.ts';
import { namesOf } from '../../../src/core/base/table.ts';

const keyOf: Readonly<Record<CurveName, (privateKey: Uint8Array) => Uint8Array>> = {
  CURVE_SECP256K1: (privateKey) => secp256k1.getPublicKey(privateKey, true),
  CURVE_ED25519: (privateKey) => ed25519.getPublicKey(privateKey),
  CURVE_P256: (privateKey) => p256.getPublicKey(privateKey, true),
};
const scalar = (byte: number) => new Uint8Array(32).fill(byte);

test('an address of each format belongs to its key, and to no other', () => {
  for (const format of namesOf(addressFormats)) {
    for (const curve of addressFormats[format].curves) {
      const [own, other] = [keyOf[curve](scalar(7)), keyOf[curve](scalar(9))];
      const address = addressOf(format, curve, own);
      const isOf = (publicKey: string, text = address) =>
        isAddressOfKey({ address: text, publicKey }, format);
      assert.equal(isOf(own.toHex()), true, `${format} ${curve}`);
      assert.equal(isOf(other.toHex()), false, `${format} ${curve}`);
      assert.equal(isOf(own.toHex(), addressOf(format, curve, other)), false);
    }
  }
});

test('text that is no key has no address, and an unknown format is undefined', () => {
  const address = addressOf(
    'ADDRESS_FORMAT_SOLANA',
    'CURVE_ED25519',
    keyOf.CURVE_ED25519(scalar(7)),
  );
  for (const publicKey of ['', 'zz', '00', 'ff'.repeat(32), '02'.repeat(33)]) {
    assert.equal(isAddressOfKey({ address, publicKey }, 'ADDRESS_FORMAT_SOLANA'), false);
    assert.equal(isAddressOfKey({ address, publicKey }, 'ADDRESS_FORMAT_ETHEREUM'), false);
  }
  assert.equal(isAddressOfKey({ address, publicKey: '' }, 'ADDRESS_FORMAT_MARS'), undefined);
  assert.equal(isAddressOfKey({ address, publicKey: '' }, 'toString'), undefined);
});
