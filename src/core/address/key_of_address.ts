// Checks that an address belongs to a public key; a service that reports both may be lying.

import { bytesOfHex } from '../base/bytes.ts';
import { curves } from '../crypto/curves.ts';
import { type AddressFormatName, addressFormats } from './index.ts';

/** An address with its key in hex, as reported by a service. */
type Claim = { readonly address: string; readonly publicKey: string };

/** Returns the public key in its stored form; undefined if the address is not that of the key. */
export function keyOfAddress(
  { address, publicKey }: Claim,
  format: AddressFormatName,
): Uint8Array | undefined {
  const { curves: possible, encode } = addressFormats[format];
  const bytes = bytesOfHex(publicKey);
  for (const curve of possible) {
    const key = bytes && curves[curve].parsePublicKey(bytes);
    if (key !== undefined && encode(key, curve) === address) return key;
  }
  return undefined;
}

/** Returns true if the address is that of the key; undefined for an unknown format. */
export function isAddressOfKey(claim: Claim, format: string): boolean | undefined {
  if (!Object.hasOwn(addressFormats, format)) return undefined;
  return keyOfAddress(claim, format as AddressFormatName) !== undefined;
}
