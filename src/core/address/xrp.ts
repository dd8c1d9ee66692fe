import { base58xrp } from '@scure/base';
import { concatBytes } from '../base/bytes.ts';
import type { CurveName } from '../base/enums.ts';
import { sha256 } from '../crypto/hashes.ts';
import { hash160 } from './hash160.ts';

/** Classic address `r…`: base58check of the key's hash, in the alphabet of the XRP ledger. */
export function xrp(publicKey: Uint8Array, curve: CurveName): string {
  // On the ledger, Ed25519 keys have a prefix, so both kinds of keys have 33 bytes.
  const ledgerKey =
    curve === 'CURVE_ED25519' ? concatBytes(Uint8Array.of(0xed), publicKey) : publicKey;
  const payload = concatBytes(Uint8Array.of(accountVersion), hash160(ledgerKey));
  const checksum = sha256(sha256(payload)).subarray(0, 4);
  return base58xrp.encode(concatBytes(payload, checksum));
}

const accountVersion = 0x00;
