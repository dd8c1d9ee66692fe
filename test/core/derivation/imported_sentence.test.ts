import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js';
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js';
import fc from 'fast-check';
import { textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import type { MnemonicLanguage } from '../../../src/core/base/enums.ts';
import {
  maximumImportedBytes,
  readImportedSentence,
} from '../../../src/core/derivation/imported_sentence.ts';
import { entropyOfMnemonic } from '../../../src/core/derivation/mnemonic.ts';

const lists: Readonly<Record<MnemonicLanguage, readonly string[]>> = {
  MNEMONIC_LANGUAGE_ENGLISH: english,
  MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE: simplifiedChinese,
  MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE: traditionalChinese,
  MNEMONIC_LANGUAGE_CZECH: czech,
  MNEMONIC_LANGUAGE_FRENCH: french,
  MNEMONIC_LANGUAGE_ITALIAN: italian,
  MNEMONIC_LANGUAGE_JAPANESE: japanese,
  MNEMONIC_LANGUAGE_KOREAN: korean,
  MNEMONIC_LANGUAGE_SPANISH: spanish,
  MNEMONIC_LANGUAGE_PORTUGUESE: portuguese,
};

const entropy = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));

const read = (text: string) => readImportedSentence(utf8(text));
const entropyOf = (text: string) => entropyOfMnemonic(utf8(text));
const sentenceOf = (text: string) => textOfUtf8(read(text)?.sentence ?? new Uint8Array(0));
const known = 'leaf lady until indicate praise final route toast cake minimum insect unknown';

for (const [language, list] of Object.entries(lists)) {
  test(`${language}: seeds agree with @scure/bip39, composed or not`, () => {
    fc.assert(
      fc.property(entropy, fc.constantFrom('NFC', 'NFKD'), (bytes, form) => {
        const mnemonic = entropyToMnemonic(bytes, [...list]);
        const imported = read(mnemonic.normalize(form));
        assert.ok(imported);
        assert.deepEqual(imported.seed, mnemonicToSeedSync(mnemonic));
        const spelled = mnemonic.normalize('NFKD');
        assert.equal(textOfUtf8(imported.sentence), spelled);
        // Both Chinese lists have words in common, and so do some other languages.
        const isNamed = imported.language === language;
        const isShared = spelled
          .split(' ')
          .every((word) => lists[imported.language].includes(word));
        assert.ok(isNamed || isShared, imported.language);
      }),
      { numRuns: 4 },
    );
  });
}

test('as people type', () => {
  const forms = [
    ` ${known} `,
    known.replaceAll(' ', '  '),
    known.replaceAll(' ', '\t'),
    known.replaceAll(' ', '\u3000'),
    known.toUpperCase(),
    `${known}\n`,
    `${known}\r\n`,
    `${known}\n\n`,
    `${known}\n--PASS--`,
    `${known}\n--PASS--\n`,
    known.replaceAll(' ', '\n'),
    `\r\n  ${known}`,
    // Blank lines are not a passphrase.
    `${known}\n  `,
    `${known}\n\t\n \n`,
    known.replace(' until ', '\n until ').replace(' toast ', ' \r\n\r\n toast '),
    `${known.replace(' final ', '\nfinal ')}\n--PASS--\n`,
  ];
  for (const form of forms) {
    assert.equal(sentenceOf(form), known, JSON.stringify(form));
    assert.deepEqual(read(form)?.seed, mnemonicToSeedSync(known));
    assert.equal(read(form)?.language, 'MNEMONIC_LANGUAGE_ENGLISH');
  }
});

test('a passphrase belongs to the wallet exactly as it was typed', () => {
  for (const passphrase of ['TREZOR', ' two  spaces ', 'ﬁ é ｶ', '🔑', '--PASS--']) {
    const marked = `${known}\n--PASS--\n${passphrase}`;
    const forms = passphrase === '--PASS--' ? [marked] : [marked, `${known}\r\n${passphrase}\r\n`];
    for (const form of forms) {
      // A passphrase that equals a mark comes after another mark.
      const kept = passphrase === '--PASS--' ? marked : `${known}\n${passphrase}`;
      assert.equal(sentenceOf(form), kept);
      assert.deepEqual(read(form)?.seed, mnemonicToSeedSync(known, passphrase));
    }
  }
});

test('the second line of a mnemonic in two lines is not a passphrase', () => {
  const zeros = new Uint8Array(32);
  const words = entropyToMnemonic(zeros, english).split(' ');
  const inTwo = `${words.slice(0, 12).join(' ')}\n${words.slice(12).join(' ')}`;
  assert.deepEqual(read(inTwo)?.seed, mnemonicToSeedSync(words.join(' ')));

  // Both readings are valid mnemonics, so a mark is required.
  const twelve = `${'abandon '.repeat(11)}about`;
  const last = english.find((word) => entropyOf(`${twelve} ${'zoo '.repeat(11)}${word}`));
  const either = `${twelve}\n${'zoo '.repeat(11)}${last}`;
  assert.equal(read(either), undefined);
  const passphrase = either.split('\n')[1] ?? '';
  const marked = read(`${twelve}\n--PASS--\n${passphrase}`);
  assert.deepEqual(marked?.seed, mnemonicToSeedSync(twelve, passphrase));
  assert.deepEqual(readImportedSentence(marked.sentence), marked);
  assert.deepEqual(
    read(either.replace('\n', ' '))?.seed,
    mnemonicToSeedSync(either.replace('\n', ' ')),
  );
});

test('a blank passphrase requires the mark, and is kept', () => {
  const marked = `${known}\n--PASS--\n  `;
  assert.deepEqual(read(marked)?.seed, mnemonicToSeedSync(known, '  '));
  assert.equal(sentenceOf(marked), marked);
});

test('a mnemonic and a passphrase of another wallet can be imported again', () => {
  const passphrase = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(entropy, passphrase, (bytes, text) => {
      if (/[\r\n]/.test(text)) return;
      const first = read(`${entropyToMnemonic(bytes, english)}\n--PASS--\n${text}`);
      assert.ok(first);
      assert.deepEqual(readImportedSentence(first.sentence), first);
    }),
    { numRuns: 8 },
  );
});

test('other texts are not mnemonics', () => {
  const words = known.split(' ');
  const others = [
    '',
    '\n',
    'leaf',
    words.slice(1).join(' '),
    [...words, 'leaf'].join(' '),
    words.toReversed().join(' '),
    known.replace('leaf', 'lead'),
    known.replace('leaf', 'blatt'),
    known.replaceAll(' ', ','),
    `${known}\npassphrase\nmore`,
    `${known}\n--PASS--\npassphrase\nmore`,
    `${known}\u0000`,
    // A simplified Chinese word among English words.
    known.replace('leaf', '的'),
    `${known}\n${'x'.repeat(maximumImportedBytes)}`,
  ];
  for (const other of others) assert.equal(read(other), undefined, JSON.stringify(other));
  assert.equal(readImportedSentence(Uint8Array.of(0xff, 0xfe)), undefined);
});
