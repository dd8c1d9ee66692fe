// BIP-39. The sentence is a secret in wipeable UTF-8 bytes, in NFKD. The service creates English sentences,
// which NFKD does not change.

import {
  concatSecrets,
  copyOfSecret,
  equalBytes,
  secretBytes,
  textOfUtf8,
  utf8,
  wipe,
} from '../base/bytes.ts';
import { pbkdf2Sha512, sha256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';
import { compareBytes, englishWords, type WordList } from './word_lists.ts';

/** Valid numbers of words in a mnemonic. */
export const mnemonicLengths: readonly number[] = [12, 15, 18, 21, 24];

const seedRounds = 2048;
const seedBytes = 64;
const wordBits = 11;
const space = 0x20;
const noPassphrase = new Uint8Array(0);

/** Returns the number of bytes of entropy in a mnemonic of that many words: 16, 20, 24, 28 or 32. */
export function entropyBytesOfWordCount(wordCount: number): number {
  assert(mnemonicLengths.includes(wordCount), 'a mnemonic has 12, 15, 18, 21 or 24 words');
  return (wordCount / 3) * 4;
}

/** Returns the English mnemonic of 16, 20, 24, 28 or 32 bytes in UTF-8, with single spaces. */
export function mnemonicOfEntropy(entropy: Uint8Array): Uint8Array {
  const wordCount = (entropy.length / 4) * 3;
  assert(mnemonicLengths.includes(wordCount), 'entropy has 16, 20, 24, 28 or 32 bytes');
  const bits = withChecksum(entropy);
  const list = englishWords();
  const mnemonic = new Uint8Array(bytesLimit(list));
  let end = 0;
  for (let i = 0; i < wordCount; i += 1) {
    if (i > 0) mnemonic[end++] = space;
    const word = list.words[wordAt(bits, i)];
    assert(word !== undefined, 'eleven bits name a word');
    mnemonic.set(word, end);
    end += word.length;
  }
  const exact = copyOfSecret(mnemonic.subarray(0, end));
  wipe(bits, mnemonic);
  return exact;
}

/**
 * Returns the entropy of a mnemonic: 12, 15, 18, 21 or 24 lower-case words of the list (default: English)
 * with single spaces and the right checksum. Undefined for other text.
 */
export function entropyOfMnemonic(
  mnemonic: Uint8Array,
  list: WordList = englishWords(),
): Uint8Array | undefined {
  const bits = bitsOfMnemonic(mnemonic, list);
  if (bits === undefined) return undefined;
  const entropy = copyOfSecret(bits.subarray(0, -1));
  const expected = withChecksum(entropy);
  const isValid = equalBytes(bits, expected);
  wipe(bits, expected);
  if (isValid) return entropy;
  wipe(entropy);
  return undefined;
}

/**
 * Returns the 64-byte seed of a mnemonic and an optional passphrase in UTF-8; undefined if either is
 * malformed.
 */
export function seedOfMnemonic(
  mnemonic: Uint8Array,
  passphrase: Uint8Array = noPassphrase,
  list: WordList = englishWords(),
): Uint8Array | undefined {
  const entropy = entropyOfMnemonic(mnemonic, list);
  wipe(entropy);
  // NFKD exists only for strings, so the passphrase is temporarily a string.
  const text = textOfUtf8(passphrase);
  if (entropy === undefined || text === undefined) return undefined;
  const normalized = utf8(text.normalize('NFKD'));
  const seed = stretched(mnemonic, normalized);
  wipe(normalized);
  return seed;
}

/** Returns the 64-byte seed of an entropy's mnemonic, without a passphrase. */
export function seedOfEntropy(entropy: Uint8Array): Uint8Array {
  const mnemonic = mnemonicOfEntropy(entropy);
  const seed = stretched(mnemonic, noPassphrase);
  wipe(mnemonic);
  return seed;
}

function stretched(mnemonic: Uint8Array, passphrase: Uint8Array): Uint8Array {
  const salt = concatSecrets(utf8('mnemonic'), passphrase);
  const seed = pbkdf2Sha512(mnemonic, salt, seedRounds, seedBytes);
  wipe(salt);
  return seed;
}

/** Returns the entropy and one byte that starts with the checksum, one bit for each four bytes. */
function withChecksum(entropy: Uint8Array): Uint8Array {
  const hash = sha256(entropy);
  const mask = 0xff << (8 - entropy.length / 4);
  const bits = concatSecrets(entropy, Uint8Array.of(Number(hash[0]) & mask));
  wipe(hash);
  return bits;
}

/** Returns the bits of the words, padded with zeros to full bytes; undefined for unknown words. */
function bitsOfMnemonic(mnemonic: Uint8Array, list: WordList): Uint8Array | undefined {
  if (mnemonic.length > bytesLimit(list)) return undefined;
  const spaces = mnemonic.filter((byte) => byte === space).length;
  const wordCount = spaces + 1;
  if (!mnemonicLengths.includes(wordCount)) return undefined;
  const bits = secretBytes(entropyBytesOfWordCount(wordCount) + 1);
  let start = 0;
  for (let i = 0; i < wordCount; i += 1) {
    const end = mnemonic.indexOf(space, start);
    const index = indexOfWord(mnemonic.subarray(start, end === -1 ? mnemonic.length : end), list);
    if (index === undefined) {
      wipe(bits);
      return undefined;
    }
    setWordAt(bits, i, index);
    start = end + 1;
  }
  return bits;
}

/** 24 of the longest words and the spaces between them. */
function bytesLimit({ maximumWordBytes }: WordList): number {
  return 24 * maximumWordBytes + 23;
}

function indexOfWord(word: Uint8Array, { words, sorted }: WordList): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const index = sorted[middle];
    const candidate = index === undefined ? undefined : words[index];
    if (candidate === undefined) return undefined;
    const order = compareBytes(candidate, word);
    if (order === 0) return index;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function wordAt(bits: Uint8Array, position: number): number {
  let index = 0;
  for (let bit = position * wordBits; bit < (position + 1) * wordBits; bit += 1) {
    index = (index << 1) | ((Number(bits[bit >> 3]) >> (7 - (bit & 7))) & 1);
  }
  return index;
}

function setWordAt(bits: Uint8Array, position: number, index: number): void {
  for (let i = 0; i < wordBits; i += 1) {
    const bit = position * wordBits + i;
    const value = (index >> (wordBits - 1 - i)) & 1;
    bits[bit >> 3] = Number(bits[bit >> 3]) | (value << (7 - (bit & 7)));
  }
}
