import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { concatBytes, textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import {
  entropyBytesOfWordCount,
  entropyOfMnemonic,
  mnemonicLengths,
  mnemonicOfEntropy,
  seedOfEntropy,
  seedOfMnemonic,
} from '../../../src/core/derivation/mnemonic.ts';

const entropy = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));

// SIGNUP-36, LIM-04
test('a mnemonic has its lengths of words and entropy', () => {
  assert.deepEqual(mnemonicLengths, [12, 15, 18, 21, 24]);
  assert.deepEqual(mnemonicLengths.map(entropyBytesOfWordCount), [16, 20, 24, 28, 32]);
  for (const none of [0, 9, 13, 27, 12.5, Number.NaN]) {
    assert.throws(() => entropyBytesOfWordCount(none), /12, 15, 18, 21 or 24 words/);
  }
});

test('every entropy is read back from its mnemonic', () => {
  fc.assert(
    fc.property(entropy, (bytes) => {
      const mnemonic = mnemonicOfEntropy(bytes);
      assert.equal(textOfUtf8(mnemonic), entropyToMnemonic(bytes, wordlist));
      assert.deepEqual(entropyOfMnemonic(mnemonic), bytes);
    }),
    { numRuns: 300 },
  );
});

test('seeds agree with @scure/bip39 for any passphrase', () => {
  const passphrase = fc.string({ unit: 'grapheme', maxLength: 20 });
  fc.assert(
    fc.property(entropy, passphrase, (bytes, text) => {
      const mnemonic = mnemonicOfEntropy(bytes);
      const words = entropyToMnemonic(bytes, wordlist);
      assert.deepEqual(seedOfMnemonic(mnemonic, utf8(text)), mnemonicToSeedSync(words, text));
    }),
    { numRuns: 10 },
  );
  const bytes = new Uint8Array(16).fill(7);
  assert.deepEqual(seedOfEntropy(bytes), seedOfMnemonic(mnemonicOfEntropy(bytes)));
});

test('a mnemonic is valid exactly if @scure/bip39 accepts it', () => {
  const word = fc.constantFrom('abandon', 'about', 'zoo', 'wrong', 'art', 'notaword', 'Zoo', '');
  const sentence = fc.array(word, { minLength: 11, maxLength: 13 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(sentence, (text) => {
      const isValid = entropyOfMnemonic(utf8(text)) !== undefined;
      assert.equal(isValid, validateMnemonic(text, wordlist));
    }),
    { numRuns: 300 },
  );
});

test('exactly the last words with the right checksum complete a mnemonic', () => {
  const start = 'abandon '.repeat(11);
  const accepted = wordlist.filter((word) => entropyOfMnemonic(utf8(start + word)) !== undefined);
  assert.deepEqual(
    accepted,
    wordlist.filter((word) => validateMnemonic(start + word, wordlist)),
  );
  assert.equal(accepted.length, 128);
});

const valid = `${'abandon '.repeat(11)}about`;
const refused = [
  ['a space in front', ` ${valid}`],
  ['a space behind', `${valid} `],
  ['two spaces between words', valid.replace(' ', '  ')],
  ['a line break', `${valid}\n`],
  ['a tab between words', valid.replace(' ', '\t')],
  ['capital letters', valid.toUpperCase()],
  ['an abbreviated word', valid.replace('about', 'abou')],
  ['a word with more letters', `${valid}s`],
  ['a separator of another script', valid.replaceAll(' ', '\u3000')],
  ['27 words', `${'zoo '.repeat(26)}zoo`],
] as const;

for (const [what, text] of refused) {
  test(`refused: ${what}`, () => {
    assert.equal(entropyOfMnemonic(utf8(text)), undefined);
    assert.equal(seedOfMnemonic(utf8(text)), undefined);
  });
}

test('arbitrary bytes and a passphrase that is not UTF-8 are refused without another error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(entropyOfMnemonic(bytes), undefined);
    }),
  );
  assert.equal(entropyOfMnemonic(new Uint8Array(10_000_000).fill(0x20)), undefined);
  assert.equal(seedOfMnemonic(utf8(valid), Uint8Array.of(0xff)), undefined);
  assert.notEqual(seedOfMnemonic(utf8(valid), Uint8Array.of(0x61)), undefined);
});

test('a mnemonic has its own memory, so it can be wiped', () => {
  const bytes = new Uint8Array(16).fill(7);
  const mnemonic = mnemonicOfEntropy(bytes);
  assert.equal(mnemonic.buffer.byteLength, mnemonic.length);
  assert.deepEqual(bytes, new Uint8Array(16).fill(7));
  const copy = concatBytes(mnemonic);
  seedOfMnemonic(mnemonic);
  assert.deepEqual(mnemonic, copy);
});
