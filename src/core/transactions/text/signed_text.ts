// Texts that people sign, with the prefix of their chain (EIP-191, TIP-191) or without.

import { textOfUtf8, utf8 } from '../../base/bytes.ts';
import { shownText } from './shown_text.ts';

export type SignedText = {
  /** The standard whose prefix prevents use of the signature for a transaction. Undefined without one. */
  readonly standard: 'EIP-191' | 'TIP-191' | undefined;
  /** Undefined if the bytes are not UTF-8. */
  readonly text: string | undefined;
  readonly bytes: Uint8Array;
};

const titles = { 'EIP-191': 'Ethereum', 'TIP-191': 'TRON' } as const;

/** Reads the message after a prefix; undefined without a prefix or if its length is wrong. */
export function readPrefixedText(bytes: Uint8Array): SignedText | undefined {
  for (const standard of ['EIP-191', 'TIP-191'] as const) {
    const start = utf8(`\u0019${titles[standard]} Signed Message:\n`);
    if (!startsWith(bytes, start)) continue;
    // The length has no leading zeros, so at most one number of digits matches.
    for (let digits = 1; digits <= 8; digits += 1) {
      const message = bytes.subarray(start.length + digits);
      const length = utf8(String(message.length));
      if (length.length === digits && startsWith(bytes.subarray(start.length), length)) {
        return { standard, text: textOfUtf8(message), bytes: message };
      }
    }
  }
  return undefined;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, i) => bytes[i] === byte);
}

/** Maximum number of examined characters of a text. Longer texts are not read to their end. */
export const maximumExamined = 20_000;

/** Returns sentences about parts of a text that a reader may miss. */
export function unusualIn(text: string): readonly string[] {
  const examined = text.slice(0, maximumExamined);
  const found = unusual.flatMap(({ pattern, says }) => {
    const all = [...new Set(examined.match(pattern) ?? [])];
    const sentence = all.length === 0 ? undefined : says(all);
    return sentence === undefined ? [] : [sentence];
  });
  if (text.length <= maximumExamined) return found;
  return [...found, `Characters after the first ${maximumExamined} were not examined.`];
}

type Unusual = { readonly pattern: RegExp; readonly says: Says };
/** Returns undefined if none of the found parts is unusual. */
type Says = (found: readonly string[]) => string | undefined;

const maximumCodes = 5;

const codesOf = (found: readonly string[]): string => {
  const codes = found
    .slice(0, maximumCodes)
    .map((text) => `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return [...codes, ...(found.length > maximumCodes ? ['…'] : [])].join(', ');
};

/** Alphabets with similar letters. */
const latin = /\p{Script=Latin}/u;
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

const unusual: readonly Unusual[] = [
  {
    pattern: /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/gu,
    says: (found) => `Characters turn the direction of the text (${codesOf(found)}).`,
  },
  {
    pattern: /(?![\t\n\r\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c])[\p{C}\p{DI}]/gu,
    says: (found) => `Characters cannot be seen (${codesOf(found)}).`,
  },
  {
    // Each word once: a pattern that looks for the change of alphabets would read long words again and again.
    pattern: /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+/gu,
    says: (words) => {
      const mixed = words.find((word) => latin.test(word) && alike.test(word));
      if (mixed === undefined) return undefined;
      return `A word mixes letters of several alphabets: ${mixed.slice(0, 40)}.`;
    },
  },
  {
    pattern: /(?:[ \t]*\r?\n){6,}|[ \t]{40,}/gu,
    says: () => 'Blank space may hide a part of the text further down or to the side.',
  },
];

/** The start of a sign-in. `uri` is the host in the line `URI`, if it has one. */
type SignIn = { readonly site: string; readonly account: string; readonly uriHost?: string };

/** Reads a sign-in with an account of Ethereum (ERC-4361) or Solana: its site, account and address. */
export function signInOf(text: string): SignIn | undefined {
  const found =
    /^(?:https?:\/\/)?(\S{1,253}) wants you to sign in with your (?:Ethereum account:\n(0x[0-9a-fA-F]{40})|Solana account:\n([1-9A-HJ-NP-Za-km-z]{32,44}))(?:\n|$)/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, site = '', ethereum, solana = ''] = found;
  const [, uri = ''] = /\nURI: (\S+)/.exec(text) ?? [];
  const uriHost = URL.parse(uri)?.host ?? '';
  return { site, account: ethereum ?? solana, ...(uriHost === '' ? {} : { uriHost }) };
}

/**
 * Returns the host of a site in the ASCII form of internationalized names, if its letters are not ASCII: they
 * may look like those of another site.
 */
export function foreignHostOf(site: string): string | undefined {
  const isForeign = [...site].some((letter) => letter > '~');
  return isForeign
    ? shownText(URL.parse(`https://${site}`)?.host ?? 'not a valid name')
    : undefined;
}
