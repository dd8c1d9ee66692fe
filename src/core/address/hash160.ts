import { createBase58check } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';
import { ripemd160, sha256 } from '../crypto/hashes.ts';

/** RIPEMD-160 of SHA-256: the 20-byte hash of Bitcoin, Cosmos and XRP addresses. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** Returns the base58check of a version byte and a payload. */
export function base58WithVersion(version: number, payload: Uint8Array): string {
  return base58check.encode(concatBytes(Uint8Array.of(version), payload));
}

/** Decodes base58check, including the version byte; undefined for other text. */
export function bytesOfBase58(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text);
  } catch {
    // The decoder throws for other characters and for a wrong checksum.
    return undefined;
  }
}

const base58check = createBase58check(sha256);
