import { hex } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { createRecentCache } from '../base/lru_cache.ts';
import { ethereumAccount } from './ethereum.ts';
import { base58WithVersion } from './hash160.ts';

/** base58check of the byte `41` and the same 20 bytes as on Ethereum: `T…`. */
export function tron(publicKey: Uint8Array, curve: CurveName): string {
  return tronAddress(ethereumAccount(publicKey, curve));
}

/** Caches the addresses of frequent owners and contracts. */
const maximumRememberedAddresses = 10_000;
const written = createRecentCache<string>(maximumRememberedAddresses);

/** Returns the base58check of the byte `41` and the 20 bytes of an account. */
export function tronAddress(account: Uint8Array): string {
  const digits = hex(account);
  const known = written.get(digits);
  if (known !== undefined) return known;
  const text = base58WithVersion(0x41, account);
  written.set(digits, text);
  return text;
}
