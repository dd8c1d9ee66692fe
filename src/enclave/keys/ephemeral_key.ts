// The key of one run of the enclave. It ends with the process: what it signed stays, and can be
// checked by the boot proof that names it.

import { concatBytes, wipe } from '../../core/base/bytes.ts';
import { p256, uncompressedPoint } from '../../core/crypto/p256.ts';
import { assert } from '../../core/errors/errors.ts';
import type { EphemeralKey } from '../../core/proofs/app_proofs.ts';

export function createEphemeralKey(random: (length: number) => Uint8Array): EphemeralKey {
  const signingKey = privateKeyFrom(random);
  // The enclave decrypts nothing with this pair; only its point is published.
  const encryptionKey = privateKeyFrom(random);
  const publicKey = concatBytes(pointOf(encryptionKey), pointOf(signingKey));
  wipe(encryptionKey);
  return {
    publicKey,
    sign: (digest) => {
      const { r, s } = p256.sign(signingKey, digest);
      return concatBytes(r, s);
    },
  };
}

function privateKeyFrom(random: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const candidate = random(32);
    if (p256.isPrivateKey(candidate)) return candidate;
  }
}

function pointOf(privateKey: Uint8Array): Uint8Array {
  const point = uncompressedPoint(p256.publicKeyOf(privateKey));
  assert(point !== undefined, 'a public key is a point');
  return point;
}
