// Forms of a fingerprint for comparison by people, on two screens or on the telephone.

import { wordlist } from '@scure/bip39/wordlists/english.js';

const wordCount = 4;
const bitsOfWord = 11n;

/** Returns the digits of `sha256:…` in groups of four. */
export function groupedFingerprint(fingerprint: string): string {
  return digitsOf(fingerprint).replace(/.{4}(?=.)/g, '$& ');
}

/** Returns four words (BIP-39, English) for the first 44 bits: a quick comparison, never a proof. */
export function spokenFingerprint(fingerprint: string): string {
  const bits = BigInt(`0x${digitsOf(fingerprint).slice(0, 11)}`);
  return Array.from({ length: wordCount }, (_, place) => {
    const shift = bitsOfWord * BigInt(wordCount - 1 - place);
    return wordlist[Number((bits >> shift) & 0x7ffn)];
  }).join(' ');
}

const digitsOf = (fingerprint: string): string => fingerprint.replace(/^sha256:/, '');
