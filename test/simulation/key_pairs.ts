// Key pairs of simulated users: few, so that keys repeat in several places, with signatures that are equal
// in every run.

import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import type { ApiKeyCurve, StampScheme } from '../../src/core/base/enums.ts';
import type { Curve } from '../../src/core/crypto/curve.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { derOfEcdsaSignature } from '../../src/core/crypto/signature_der.ts';

export type KeyPair = {
  /** Hex. */
  readonly publicKey: string;
  readonly curve: ApiKeyCurve;
  /** Returns the X-Stamp header of a body. */
  readonly stamp: (body: Uint8Array) => { name: string; value: string };
};

type Kind = {
  readonly curve: ApiKeyCurve;
  readonly scheme: StampScheme;
  readonly publicKeyOf: (secret: Uint8Array) => Uint8Array;
  readonly sign: (secret: Uint8Array, body: Uint8Array) => Uint8Array;
};

const kinds = {
  p256: {
    curve: 'API_KEY_CURVE_P256',
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    publicKeyOf: curves.CURVE_P256.publicKeyOf,
    sign: ecdsa(curves.CURVE_P256),
  },
  secp256k1: {
    curve: 'API_KEY_CURVE_SECP256K1',
    scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1',
    publicKeyOf: curves.CURVE_SECP256K1.publicKeyOf,
    sign: ecdsa(curves.CURVE_SECP256K1),
  },
  ed25519: {
    curve: 'API_KEY_CURVE_ED25519',
    scheme: 'SIGNATURE_SCHEME_TK_API_ED25519',
    publicKeyOf: curves.CURVE_ED25519.publicKeyOf,
    sign: (secret, body) => sign(null, body, ed25519Key(hex(secret))),
  },
} as const satisfies Record<string, Kind>;

/** The key of the first organization's first user. */
export const rootKeyPair = keyPair('p256', 0);

/** All key pairs; most are P-256 pairs, which sign and verify fastest. */
export const keyPairs: readonly KeyPair[] = [
  rootKeyPair,
  ...[1, 2].map((number) => keyPair('secp256k1', number)),
  ...[1, 2, 3, 4, 5].map((number) => keyPair('ed25519', number)),
  ...Array.from({ length: 16 }, (_, number) => keyPair('p256', number + 1)),
];

/** Returns the pair of a public key, if it is one of these. */
export const keyPairOf = (publicKey: string): KeyPair | undefined => byPublicKey.get(publicKey);

const byPublicKey = new Map(keyPairs.map((pair) => [pair.publicKey, pair]));

function keyPair(name: keyof typeof kinds, number: number): KeyPair {
  const kind: Kind = kinds[name];
  const secret = Uint8Array.from(
    createHash('sha256').update(`simulated key ${name} ${number}`).digest(),
  );
  const publicKey = hex(kind.publicKeyOf(secret));
  return {
    publicKey,
    curve: kind.curve,
    stamp: (body) => {
      const signature = hex(kind.sign(secret, body));
      const stamp = { publicKey, scheme: kind.scheme, signature };
      return { name: 'x-stamp', value: base64url(utf8(JSON.stringify(stamp))) };
    },
  };
}

function ecdsa({ sign: signDigest }: Curve): Kind['sign'] {
  return (secret, body) => derOfEcdsaSignature(signDigest(secret, sha256(body)));
}

const imported = new Map<string, KeyObject>();

/** Imports an Ed25519 key from its secret in hex, by PKCS #8 (RFC 8410): a fixed prefix, then 32 bytes. */
function ed25519Key(secret: string): KeyObject {
  const known = imported.get(secret);
  if (known !== undefined) return known;
  const key = Buffer.from(`302e020100300506032b657004220420${secret}`, 'hex');
  const made = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  imported.set(secret, made);
  return made;
}
