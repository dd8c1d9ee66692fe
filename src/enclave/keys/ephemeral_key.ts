// The key of one run of the enclave. It exists until the process ends. Its signatures remain verifiable with
// the boot proof that names it.

import { concatBytes } from '../../core/base/bytes.ts';
import { openWith } from '../../core/crypto/hpke.ts';
import { p256, uncompressedPoint } from '../../core/crypto/p256.ts';
import { assert } from '../../core/errors/errors.ts';
import type { EphemeralKey } from '../../core/proofs/app_proofs.ts';

/** Creates the key of a run. Both private keys stay inside this function. */
export function createEphemeralKey(random: (length: number) => Uint8Array): EphemeralKey {
  const signingKey = privateKeyFrom(random);
  const encryptionKey = privateKeyFrom(random);
  return {
    publicKey: concatBytes(pointOf(encryptionKey), pointOf(signingKey)),
    sign: (digest) => {
      const { r, s } = p256.sign(signingKey, digest);
      return concatBytes(r, s);
    },
    open: (message) => openWith({ ...message, receiverPrivateKey: encryptionKey }),
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
