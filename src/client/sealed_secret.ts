// Seals the secret of a key holder. This module also runs in the page of `keywright org unseal`.

import { type Bytes, bytesOfHex, hexOf, utf8 } from './bytes.ts';
import { seal } from './hpke.ts';

/** The receiver of a secret, and the organization, purpose and state to which the secret is bound. */
export type SecretPlace = {
  /** Encryption key of the running enclave: a point of 65 bytes in hex. */
  readonly receiver: string;
  readonly info: string;
};

/** Seals a secret of 32 bytes, and returns the value of `encryptedSecret`. */
export async function sealSecret(secret: Bytes, { receiver, info }: SecretPlace): Promise<string> {
  const { encapsulatedKey, ciphertext } = await seal(secret, {
    info: utf8(info),
    receiver: bytesOfHex(receiver),
  });
  return JSON.stringify({
    encappedPublic: hexOf(encapsulatedKey),
    ciphertext: hexOf(ciphertext),
  });
}
