// Seals a wallet, a private key or a text to the client that exports it.

import { hex } from '../base/bytes.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';
import { sealBundle } from './bundle_encryption.ts';
import { writeSignedMessage } from './signed_message.ts';

/**
 * Seals the plaintext (a mnemonic in UTF-8, or the 32 bytes of a private key) to a key of `parseTargetKey`,
 * and signs it as `signer`. The organization is the owner of the secret.
 */
export function writeExportBundle(
  input: {
    readonly organizationId: string;
    readonly targetPublicKey: Uint8Array;
    readonly plaintext: Uint8Array;
    readonly ephemeralPrivateKey: Uint8Array;
  },
  keys: ServiceSigner,
): string {
  const { encapsulatedKey, ciphertext } = sealBundle({
    receiverPublicKey: input.targetPublicKey,
    plaintext: input.plaintext,
    ephemeralPrivateKey: input.ephemeralPrivateKey,
  });
  const content = {
    encappedPublic: hex(encapsulatedKey),
    ciphertext: hex(ciphertext),
    organizationId: input.organizationId,
  };
  return writeSignedMessage(content, 'signer', keys);
}
