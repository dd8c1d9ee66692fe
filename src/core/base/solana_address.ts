import { base58 } from '@scure/base';

/** Returns true if a text is an address of Solana: 32 bytes in base58. */
export function isSolanaAddress(text: string): boolean {
  // 32 bytes take 32 to 44 digits, and decoding is quadratic.
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && base58.decode(text).length === 32;
}
