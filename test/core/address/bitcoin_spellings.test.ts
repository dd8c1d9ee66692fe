import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer';
import fc from 'fast-check';
import { describeOutputScript } from '../../../src/core/address/bitcoin_scripts.ts';
import { otherBitcoinSpellings } from '../../../src/core/address/bitcoin_spellings.ts';

const regtest = { ...TEST_NETWORK, bech32: 'bcrt' };
const networks = [NETWORK, TEST_NETWORK, regtest];

const names = ['MAINNET', 'TESTNET', 'SIGNET', 'REGTEST'] as const;
const isUpper = (text: string) => /^(BC|TB|BCRT)1/.test(text);

const script = fc
  .tuple(
    fc.constantFrom(
      ['76a914', '88ac', 20],
      ['a914', '87', 20],
      ['0014', '', 20],
      ['0020', '', 32],
      ['5120', '', 32],
      ['5210', '', 16],
    ),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  )
  .map(([[start, end, length], bytes]) =>
    Uint8Array.fromHex(`${start}${bytes.subarray(0, Number(length)).toHex()}${end}`),
  );

test('an address and its other spellings have one script on all networks', () => {
  fc.assert(
    fc.property(script, fc.constantFrom(...names), (bytes, network) => {
      const { address } = describeOutputScript(bytes, network);
      const spelled = new Set(
        names.flatMap((each) => {
          const text = describeOutputScript(bytes, each).address;
          return isUpper(text.toUpperCase()) ? [text, text.toUpperCase()] : [text];
        }),
      );
      assert.deepEqual(new Set([address, ...otherBitcoinSpellings(address)]), spelled);
      for (const other of otherBitcoinSpellings(address)) {
        const again = new Set([other, ...otherBitcoinSpellings(other)]);
        assert.deepEqual(again, spelled);
      }
    }),
  );
});

test('@scure/btc-signer reads every spelling as the same script', () => {
  fc.assert(
    fc.property(script, (bytes) => {
      const { address, type } = describeOutputScript(bytes, 'MAINNET');
      // The library knows no future witness versions, and refuses keys off the curve.
      fc.pre(type !== '' && type !== 'p2tr');
      const all = [address, ...otherBitcoinSpellings(address)];
      assert.ok(all.length >= 2);
      for (const spelling of all.map((each) => (isUpper(each) ? each.toLowerCase() : each))) {
        const scripts = networks.flatMap((network) => {
          try {
            return [OutScript.encode(Address(network).decode(spelling))];
          } catch {
            return [];
          }
        });
        assert.ok(scripts.length > 0, spelling);
        for (const each of scripts) assert.deepEqual(new Uint8Array(each), bytes);
      }
    }),
  );
});

test('text that is not an address has no other spelling', () => {
  for (const text of [
    '',
    '1',
    'bc1',
    'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    'Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLx',
    'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
  ]) {
    assert.deepEqual(otherBitcoinSpellings(text), [], text);
  }
});
