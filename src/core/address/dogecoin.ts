import { base58WithVersion, hash160 } from './hash160.ts';

/** Pay-to-public-key-hash on the main network, `D…`. */
export function dogecoinMainnet(publicKey: Uint8Array): string {
  return base58WithVersion(0x1e, hash160(publicKey));
}

/** Pay-to-public-key-hash on the test network, `n…`. */
export function dogecoinTestnet(publicKey: Uint8Array): string {
  return base58WithVersion(0x71, hash160(publicKey));
}
