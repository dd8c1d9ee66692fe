// An imported mnemonic in any language of BIP-39, as people type it, with an optional passphrase.

import { equalBytes, textOfUtf8, utf8, wipe } from '../base/bytes.ts';
import { type MnemonicLanguage, mnemonicLanguages } from '../base/enums.ts';
import { assert } from '../errors/errors.ts';
import { entropyOfMnemonic, seedOfMnemonic } from './mnemonic.ts';
import { wordListOf } from './word_lists.ts';

/** 24 of the longest words, and a passphrase. */
export const maximumImportedBytes = 2048;

/** A line that separates the sentence from the passphrase on pages of the API family. */
const passphraseMark = '--PASS--';
const markLine = utf8(`${passphraseMark}\n`);
const lineFeed = 0x0a;

type ImportedSentence = {
  readonly language: MnemonicLanguage;
  /** 64 bytes. */
  readonly seed: Uint8Array;
  /**
   * The sentence that restores the wallet elsewhere: NFKD with single spaces, UTF-8. An optional passphrase
   * follows a line feed. A line `--PASS--` precedes it if it would otherwise be misread.
   */
  readonly sentence: Uint8Array;
};

/**
 * Reads a sentence in UTF-8: 12, 15, 18, 21 or 24 words in any white space, lines and letter case. The
 * passphrase follows a line `--PASS--`, or the only line of the sentence. Returns undefined for other texts.
 * Also for two lines that are a sentence with and without the second line, since a guess could open another
 * wallet. The caller wipes all returned bytes.
 */
export function readImportedSentence(contents: Uint8Array): ImportedSentence | undefined {
  if (contents.length > maximumImportedBytes) return undefined;
  // NFKD exists only for strings, so the sentence is temporarily a string.
  const parts = partsOf(textOfUtf8(contents) ?? '');
  if (parts === undefined) return undefined;
  const { spaced, language, passphrase } = parts;
  const words = utf8(spaced);
  const secret = utf8(passphrase);
  const seed = seedOfMnemonic(words, secret, wordListOf(language));
  assert(seed !== undefined, 'a valid sentence has a seed');
  const sentence = utf8(textOf(parts));
  wipe(words, secret);
  return { language, seed, sentence };
}

type Sentence = { readonly spaced: string; readonly language: MnemonicLanguage };
type Parts = Sentence & { readonly passphrase: string };

/** Splits the text into sentence and passphrase, which is empty if absent; undefined for other texts. */
function partsOf(text: string): Parts | undefined {
  const lines = text.split(/\r?\n/);
  const mark = lines.indexOf(passphraseMark);
  const whole = sentenceIn(mark === -1 ? lines : lines.slice(0, mark));
  if (mark !== -1) {
    const [passphrase = '', ...more] = lines.slice(mark + 1);
    const isRead = whole !== undefined && more.every((line) => line === '');
    return isRead ? { ...whole, passphrase } : undefined;
  }
  const [first = '', passphrase = '', ...more] = lines;
  const followed = passphrase.trim() === '' ? undefined : sentenceIn([first]);
  if (whole !== undefined) return followed === undefined ? { ...whole, passphrase: '' } : undefined;
  const isRead = followed !== undefined && more.every((line) => line === '');
  return isRead ? { ...followed, passphrase } : undefined;
}

function textOf(parts: Parts): string {
  const { spaced, passphrase } = parts;
  if (passphrase === '') return spaced;
  const plain = `${spaced}\n${passphrase}`;
  return partsOf(plain)?.passphrase === passphrase
    ? plain
    : `${spaced}\n${passphraseMark}\n${passphrase}`;
}

/** Returns the sentence of the joined lines, in NFKD with single spaces. */
function sentenceIn(lines: readonly string[]): Sentence | undefined {
  const joined = lines.join(' ').normalize('NFKD').toLowerCase();
  const spaced = joined.trim().replaceAll(/\s+/g, ' ');
  const words = utf8(spaced);
  const language = languageOf(words);
  wipe(words);
  return language && { spaced, language };
}

/** Returns the first matching language. Any of them will do: the seed depends only on the words. */
function languageOf(words: Uint8Array): MnemonicLanguage | undefined {
  return mnemonicLanguages.find((language) => {
    const entropy = entropyOfMnemonic(words, wordListOf(language));
    wipe(entropy);
    return entropy !== undefined;
  });
}

/** Splits a stored sentence into views of its words and of its optional passphrase. */
export function splitKeptSentence(sentence: Uint8Array): {
  readonly words: Uint8Array;
  readonly passphrase: Uint8Array | undefined;
} {
  const end = sentence.indexOf(lineFeed);
  if (end === -1) return { words: sentence, passphrase: undefined };
  const rest = sentence.subarray(end + 1);
  const isMarked = equalBytes(rest.subarray(0, markLine.length), markLine);
  const passphrase = isMarked ? rest.subarray(markLine.length) : rest;
  return { words: sentence.subarray(0, end), passphrase };
}
