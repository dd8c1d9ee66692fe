import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { wordlist as french } from '@scure/bip39/wordlists/french.js';
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js';
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js';
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js';
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js';
import fc from 'fast-check';
import { textOfUtf8, utf8 } from '../../../src/core/bytes.ts';
import {
  maximumImportedBytes,
  readImportedSentence,
} from '../../../src/core/derivation/imported_sentence.ts';
import type { MnemonicLanguage } from '../../../src/core/names.ts';

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
};

const entropy = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));

const read = (text: string) => readImportedSentence(utf8(text));
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
        // The two of Chinese have words in common, and a few others do.
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
  ];
  for (const form of forms) {
    assert.equal(sentenceOf(form), known, JSON.stringify(form));
    assert.deepEqual(read(form)?.seed, mnemonicToSeedSync(known));
    assert.equal(read(form)?.language, 'MNEMONIC_LANGUAGE_ENGLISH');
  }
});

test('a passphrase belongs to the wallet, as it was typed', () => {
  for (const passphrase of ['TREZOR', ' two  spaces ', 'ﬁ é ｶ', '🔑', '--PASS--']) {
    const marked = `${known}\n--PASS--\n${passphrase}`;
    const forms = passphrase === '--PASS--' ? [marked] : [marked, `${known}\r\n${passphrase}\r\n`];
    for (const form of forms) {
      assert.equal(sentenceOf(form), `${known}\n${passphrase}`);
      assert.deepEqual(read(form)?.seed, mnemonicToSeedSync(known, passphrase));
    }
  }
});

test('what gives the wallet elsewhere can be imported again', () => {
  const passphrase = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(entropy, passphrase, (bytes, text) => {
      if (/[\r\n]|^--PASS--$/.test(text)) return;
      const first = read(`${entropyToMnemonic(bytes, english)}\n--PASS--\n${text}`);
      assert.ok(first);
      assert.deepEqual(readImportedSentence(first.sentence), first);
    }),
    { numRuns: 8 },
  );
});

test('anything else is no sentence', () => {
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
    words.join('\n'),
    `\n${known}`,
    `${known}\npassphrase\nmore`,
    `${known}\n--PASS--\npassphrase\nmore`,
    `${known}\u0000`,
    // Simplified Chinese beside English.
    known.replace('leaf', '的'),
    `${known}\n${'x'.repeat(maximumImportedBytes)}`,
  ];
  for (const other of others) assert.equal(read(other), undefined, JSON.stringify(other));
  assert.equal(readImportedSentence(Uint8Array.of(0xff, 0xfe)), undefined);
});
