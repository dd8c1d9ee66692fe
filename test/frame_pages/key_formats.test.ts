// The texts of private keys in the frames, against independent implementations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, createBase58check } from '@scure/base';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import { keyOfText, textOfKey } from '../../src/frame_pages/key_formats.ts';

const base58check = createBase58check(sha256);
const wif = (version: number) => (key: Uint8Array) =>
  base58check.encode(Uint8Array.of(version, ...key, 1));

/** The text of a key in each format, by other code. */
const expected: Readonly<Record<string, (key: Uint8Array) => string>> = {
  HEXADECIMAL: (key) => Buffer.from(key).toString('hex'),
  SOLANA: (key) => base58.encode(Keypair.fromSeed(key).secretKey),
  BITCOIN_MAINNET_WIF: wif(0x80),
  BITCOIN_TESTNET_WIF: wif(0xef),
  SUI_BECH32: (key) => bech32.encode('suiprivkey', bech32.toWords(Uint8Array.of(0, ...key))),
};

/** Keys, some of which begin with zero bytes. */
const keys = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat({ max: 32 }))
  .map(([key, zeros]) => Uint8Array.from(key, (byte, at) => (at < zeros ? 0 : byte)));

for (const [format, textOf] of Object.entries(expected)) {
  test(`${format} has the text of other code, and that text has the key`, async () => {
    await fc.assert(
      fc.asyncProperty(keys, async (key) => {
        const text = textOf(key);
        assert.equal(await textOfKey(Uint8Array.from(key), format), text);
        assert.deepEqual(await keyOfText(text, format), key);
      }),
      { numRuns: 50 },
    );
  });

  test(`${format} refuses a text with another character, without repeating it`, async () => {
    const key = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
    const text = textOf(key);
    const other = format === 'HEXADECIMAL' ? `${text.slice(0, -1)}x` : changed(text);
    for (const wrong of [other, text.slice(1), `${text}1`, '', 'ü', '1'.repeat(500)]) {
      await assert.rejects(keyOfText(wrong, format), {
        message: `expected a private key in ${format}`,
      });
    }
  });
}

const changed = (text: string): string =>
  `${text.slice(0, 20)}${text[20] === '2' ? '3' : '2'}${text.slice(21)}`;

test('hexadecimal digits may have a prefix and any letter case', async () => {
  const key = Uint8Array.from({ length: 32 }, () => 0xab);
  assert.deepEqual(await keyOfText(`0x${'AB'.repeat(32)}`), key);
});

test('a text of the other network of Bitcoin, of Secp256k1 on Sui, or uncompressed is refused', async () => {
  const key = new Uint8Array(32).fill(7);
  const ofSui = bech32.encode('suiprivkey', bech32.toWords(Uint8Array.of(1, ...key)));
  await assert.rejects(keyOfText(wif(0xef)(key), 'BITCOIN_MAINNET_WIF'));
  await assert.rejects(
    keyOfText(base58check.encode(Uint8Array.of(0x80, ...key)), 'BITCOIN_MAINNET_WIF'),
  );
  await assert.rejects(keyOfText(ofSui, 'SUI_BECH32'));
});

test('an unknown format, and a key of another length, are refused', async () => {
  for (const format of ['OTHER', 'toString', '__proto__']) {
    await assert.rejects(textOfKey(new Uint8Array(32), format), /expected a key format/);
    await assert.rejects(keyOfText('00', format), /expected a key format/);
  }
  await assert.rejects(textOfKey(new Uint8Array(64), 'HEXADECIMAL'), /32 bytes/);
});
