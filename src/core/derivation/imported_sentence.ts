// A mnemonic that somebody brings along: in any language of BIP-39, spelled as people type, with the
// passphrase that may belong to it.

import { concatBytes, textOfUtf8, utf8, wipe } from '../bytes.ts';
import { assert } from '../errors.ts';
import { type MnemonicLanguage, mnemonicLanguages } from '../names.ts';
import { entropyOfMnemonic, seedOfMnemonic } from './mnemonic.ts';
import { wordListOf } from './word_lists.ts';

/** 24 of the longest words, and a passphrase. */
export const maximumImportedBytes = 2048;

/** A line by which the pages of the API family part the sentence and the passphrase. */
const passphraseMark = '--PASS--';

export type ImportedSentence = {
  readonly language: MnemonicLanguage;
  /** 64 bytes. */
  readonly seed: Uint8Array;
  /**
   * What gives the same wallet elsewhere: the sentence in NFKD with single spaces, UTF-8; where there
   * is a passphrase, a line feed and the passphrase as it came.
   */
  readonly sentence: Uint8Array;
};

/**
 * Reads a sentence in UTF-8: 12, 15, 18, 21 or 24 words, whatever white space and letter case; on the
 * next line, or after a line `--PASS--`, the passphrase. All bytes given are the caller's to wipe.
 * Undefined for anything else.
 */
export function readImportedSentence(contents: Uint8Array): ImportedSentence | undefined {
  if (contents.length > maximumImportedBytes) return undefined;
  // NFKD exists for text only, so the sentence is text for as long as this takes.
  const [line = '', ...rest] = textOfUtf8(contents)?.split(/\r?\n/) ?? [];
  const passphrase = passphraseOf(rest);
  if (passphrase === undefined) return undefined;
  const spaced = line.normalize('NFKD').toLowerCase().trim().replaceAll(/\s+/g, ' ');
  const words = utf8(spaced);
  const language = languageOf(words);
  if (language === undefined) {
    wipe(words);
    return undefined;
  }
  const secret = utf8(passphrase);
  const seed = seedOfMnemonic(words, secret, wordListOf(language));
  assert(seed !== undefined, 'a valid sentence has a seed');
  if (passphrase === '') return { language, seed, sentence: words };
  const sentence = concatBytes(words, utf8('\n'), secret);
  wipe(words, secret);
  return { language, seed, sentence };
}

/** Empty where there is none; undefined for lines that mean nothing. */
function passphraseOf(lines: readonly string[]): string | undefined {
  const [passphrase = '', ...more] = lines[0] === passphraseMark ? lines.slice(1) : lines;
  // A line feed at the end.
  return more.every((line) => line === '') ? passphrase : undefined;
}

/** The first whose words these are: the seed comes of the words themselves. */
function languageOf(words: Uint8Array): MnemonicLanguage | undefined {
  return mnemonicLanguages.find((language) => {
    const entropy = entropyOfMnemonic(words, wordListOf(language));
    wipe(entropy);
    return entropy !== undefined;
  });
}
