// Checks an address of the address book, and returns its stored form.

import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import { eip55 } from '../address/ethereum.ts';
import { bounceableTonAddress } from '../address/ton.ts';
import { sha256 } from '../crypto/hashes.ts';

const base58check = createBase58check(sha256);

/** Parsers of address families. Each returns the stored form, or undefined for other text. */
const families: readonly ((text: string) => string | undefined)[] = [
  checksummed,
  lowerCaseBech32,
  bounceableTonAddress,
  ofBase58,
  // Sui and Aptos; Stellar; XRP.
  (text) =>
    /^(?:0x[0-9a-f]{64}|G[A-Z2-7]{55}|r[1-9A-HJ-NP-Za-km-z]{24,34})$/.test(text) ? text : undefined,
];

/** Returns an address in the form that transactions use; undefined if the text is not an address. */
export function storedAddress(text: string): string | undefined {
  for (const family of families) {
    const stored = family(text);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

/** Requires the mixed case of EIP-55, so that its checksum detects a wrong digit. */
function checksummed(text: string): string | undefined {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return undefined;
  const digits = text.slice(2);
  const stored = eip55(digits.toLowerCase());
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isMixed && stored !== text ? undefined : stored;
}

function lowerCaseBech32(text: string): string | undefined {
  // Both decoders reject more than 90 characters and mixed case.
  const isBech32 = (bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text)) !== undefined;
  return isBech32 ? text.toLowerCase() : undefined;
}

/** Solana: 32 bytes. Bitcoin, Dogecoin and Tron: a version, 20 bytes and a checksum. */
function ofBase58(text: string): string | undefined {
  // Decoding takes quadratic time.
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,44}$/.test(text)) return undefined;
  if (base58.decode(text).length === 32) return text;
  try {
    return base58check.decode(text).length === 21 ? text : undefined;
  } catch {
    return undefined;
  }
}
