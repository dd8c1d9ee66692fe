// The word lists of BIP-39 as UTF-8 bytes in NFKD, the form in which words are compared and hashed.

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
import { utf8 } from '../base/bytes.ts';
import type { MnemonicLanguage } from '../base/enums.ts';

export type WordList = {
  /** The 2048 words by index. */
  readonly words: readonly Uint8Array[];
  /** The indexes in byte order of their words. */
  readonly sorted: readonly number[];
  readonly maximumWordBytes: number;
};

const texts: Readonly<Record<MnemonicLanguage, readonly string[]>> = {
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

const prepared = new Map<MnemonicLanguage, WordList>();

/** Returns the words of a language. They are sorted at their first use, which shortens each start. */
export function wordListOf(language: MnemonicLanguage): WordList {
  const known = prepared.get(language);
  if (known !== undefined) return known;
  const list = listOf(texts[language]);
  prepared.set(language, list);
  return list;
}

export function englishWords(): WordList {
  return wordListOf('MNEMONIC_LANGUAGE_ENGLISH');
}

/** Returns a negative number, zero or a positive number if `a` sorts before, equal to or after `b`. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = Number(a[i]) - Number(b[i]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function listOf(text: readonly string[]): WordList {
  const numbered = text.map((word, index) => ({ bytes: utf8(word.normalize('NFKD')), index }));
  return {
    words: numbered.map(({ bytes }) => bytes),
    sorted: numbered.toSorted((a, b) => compareBytes(a.bytes, b.bytes)).map(({ index }) => index),
    maximumWordBytes: Math.max(...numbered.map(({ bytes }) => bytes.length)),
  };
}
