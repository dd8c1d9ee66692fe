// The key that a client seals a wallet or a private key to, and what it seals to it.

import { hex } from '../bytes.ts';
import { maximumImportedBytes } from '../derivation/imported_sentence.ts';
import type { ServiceSigner } from '../service_keys.ts';
import { type OpenedMessage, openClientMessage } from './client_message.ts';
import { writeSignedMessage } from './signed_message.ts';

/** The target for one import by one user, signed as `signer`. The public key has 65 bytes. */
export function writeImportTarget(
  target: {
    readonly targetPublicKey: Uint8Array;
    readonly organizationId: string;
    readonly userId: string;
  },
  keys: ServiceSigner,
): string {
  const content = {
    targetPublic: hex(target.targetPublicKey),
    organizationId: target.organizationId,
    userId: target.userId,
  };
  return writeSignedMessage(content, 'signer', keys);
}

/** What was sealed to the target of an import: a mnemonic in UTF-8, or the bytes of a key. */
export function openImport(text: string, targetPrivateKey: Uint8Array): OpenedMessage {
  return openClientMessage(text, { targetPrivateKey, maximumPlaintextBytes: maximumImportedBytes });
}
