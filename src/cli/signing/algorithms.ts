// Signature algorithms over raw bytes, and the public keys for verification.

import { bech32m } from '@scure/base';
import { type Algorithm, bytesOfDigits } from './signature_document.ts';

type Key = {
  readonly address: string | undefined;
  readonly addressFormat: string | undefined;
  readonly curve: string;
  readonly publicKey: string;
};

const algorithms: Readonly<Record<string, Algorithm>> = {
  CURVE_SECP256K1: 'ECDSA-secp256k1',
  CURVE_P256: 'ECDSA-P256',
  CURVE_ED25519: 'Ed25519',
};

/** Returns the algorithm of a signer, and its public key in hex. */
export function algorithmOf({ address = '', addressFormat = '', curve, publicKey }: Key): {
  readonly algorithm: Algorithm;
  readonly publicKey: string;
} {
  // BIP-341: the output key signs, and the address contains it.
  if (addressFormat.endsWith('_P2TR')) {
    const { words } = bech32m.decode(address as `${string}1${string}`);
    const outputKey = Buffer.from(bech32m.fromWords(words.slice(1))).toString('hex');
    return { algorithm: 'BIP-340', publicKey: outputKey };
  }
  if (addressFormat.startsWith('ADDRESS_FORMAT_SPARK_')) {
    const x = bytesOfDigits(publicKey)?.subarray(1) ?? new Uint8Array(0);
    return { algorithm: 'BIP-340', publicKey: Buffer.from(x).toString('hex') };
  }
  return { algorithm: algorithms[curve] ?? 'ECDSA-secp256k1', publicKey };
}
