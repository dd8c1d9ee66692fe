// The key of one run of the enclave. It ends with the process. Its signatures stay, and the boot proof that
// names it verifies them.

import { concatBytes, wipe } from '../../core/base/bytes.ts';
import { p256, uncompressedPoint } from '../../core/crypto/p256.ts';
import { assert } from '../../core/errors/errors.ts';
import type { EphemeralKey } from '../../core/proofs/app_proofs.ts';

/** Creates the key of an enclave that receives no shares. It only signs. */
export function createEphemeralKey(random: (length: number) => Uint8Array): EphemeralKey {
  const { key, encryptionKey } = createEphemeralKeys(random);
  wipe(encryptionKey);
  return key;
}

/** Creates the key with the private key of its encryption half, which the caller wipes. */
export function createEphemeralKeys(random: (length: number) => Uint8Array): {
  readonly key: EphemeralKey;
  readonly encryptionKey: Uint8Array;
} {
  const signingKey = privateKeyFrom(random);
  const encryptionKey = privateKeyFrom(random);
  const key: EphemeralKey = {
    publicKey: concatBytes(pointOf(encryptionKey), pointOf(signingKey)),
    sign: (digest) => {
      const { r, s } = p256.sign(signingKey, digest);
      return concatBytes(r, s);
    },
  };
  return { key, encryptionKey };
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
