// A secret of a wallet, a private key or a text, sealed to the client who exports it.

import { hex } from '../base/bytes.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';
import { sealBundle } from './bundle_encryption.ts';
import { writeSignedMessage } from './signed_message.ts';

/**
 * The plaintext (a mnemonic in UTF-8, or the 32 bytes of a private key) sealed to a target key of
 * `parseTargetKey` and signed as `signer`. The organization is the one that owns the secret.
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
