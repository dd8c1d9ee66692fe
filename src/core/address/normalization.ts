// Stored forms of addresses, and other accepted spellings.

import { bech32, bech32m } from '@scure/base';
import { namesOf, table } from '../base/table.ts';
import { eip55 } from './ethereum.ts';
import { bounceableTonAddress } from './ton.ts';

type Spelling = {
  /** Returns the stored form; undefined for other text. Default: the address as sent. */
  readonly storedForm?: (text: string) => string | undefined;
};

const spellings = table<Spelling>()({
  public_key: { storedForm: lowerCasePublicKey },
  eip55: { storedForm: checksummedEvmAddress },
  bech32: { storedForm: lowerCaseBech32 },
  ton: { storedForm: bounceableTonAddress },
  hex: {},
  base58: {},
  base32: {},
});

export type SpellingName = keyof typeof spellings;

/**
 * Returns the stored form of an address in another spelling of its chain: EVM addresses in any letter case
 * (EIP-55), TON addresses raw or non-bounceable (`EQ…`), hex public keys in any case (lower), bech32 in
 * capitals (lower, BIP-173). Returns any other text unchanged.
 */
export function signingSpellings(text: string): string {
  for (const storedForm of storedForms) {
    const stored = storedForm(text);
    if (stored !== undefined) return stored;
  }
  return text;
}

const storedForms = namesOf(spellings).flatMap((name) => spellings[name].storedForm ?? []);

function lowerCasePublicKey(text: string): string | undefined {
  const isKey = /^(?:[0-9a-f]{64}|0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i.test(text);
  return isKey ? text.toLowerCase() : undefined;
}

function checksummedEvmAddress(text: string): string | undefined {
  return /^0x[0-9a-f]{40}$/i.test(text) ? eip55(text.slice(2).toLowerCase()) : undefined;
}

function lowerCaseBech32(text: string): string | undefined {
  // Both decoders reject mixed case and more than 90 characters.
  const decoded = bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text);
  return decoded ? text.toLowerCase() : undefined;
}
