import { base58 } from '@scure/base';

/** base58 of the 32-byte key. */
export function solana(publicKey: Uint8Array): string {
  return base58.encode(publicKey);
}
