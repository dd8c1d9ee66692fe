// The key to which a client seals a wallet, a private key or a text, and the sealed content.

import { hex } from '../base/bytes.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';
import { maximumImportedBytes } from '../derivation/imported_sentence.ts';
import { type OpenedMessage, openClientMessage } from './client_message.ts';
import { writeSignedMessage } from './signed_message.ts';

/**
 * Returns the target of one import, signed as `signer`: for one user, or for a text by any user of the
 * organization. The public key has 65 bytes.
 */
export function writeImportTarget(
  target: {
    readonly targetPublicKey: Uint8Array;
    readonly organizationId: string;
    readonly userId?: string;
  },
  keys: ServiceSigner,
): string {
  const content = {
    targetPublic: hex(target.targetPublicKey),
    organizationId: target.organizationId,
    ...(target.userId === undefined ? {} : { userId: target.userId }),
  };
  return writeSignedMessage(content, 'signer', keys);
}

/**
 * Opens the content that was sealed to an import target: a mnemonic or a text in UTF-8, or the bytes of a
 * key.
 */
export function openImport(
  text: string,
  targetPrivateKey: Uint8Array,
  maximumPlaintextBytes = maximumImportedBytes,
): OpenedMessage {
  return openClientMessage(text, { targetPrivateKey, maximumPlaintextBytes });
}
