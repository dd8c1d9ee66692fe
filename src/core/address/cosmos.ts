import { bech32 } from '@scure/base';
import { hash160 } from './hash160.ts';

/** Returns the bech32 of the key's hash, `cosmos1…`. */
export function cosmos(publicKey: Uint8Array): string {
  return accountAddress('cosmos', publicKey);
}

/** Returns the bech32 of the key's hash, `sei1…`. */
export function sei(publicKey: Uint8Array): string {
  return accountAddress('sei', publicKey);
}

function accountAddress(prefix: string, publicKey: Uint8Array): string {
  return bech32.encode(prefix, bech32.toWords(hash160(publicKey)));
}
