// Messages that the service signs, so that clients can verify their data.

import { hex, utf8 } from '../base/bytes.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { ServiceSigner, SigningRole } from '../crypto/service_keys.ts';
import { derOfEcdsaSignature } from '../crypto/signature_der.ts';
import type { JsonObject } from '../schema/json.ts';

/** Returns the message as JSON: data in hex, a DER signature over its SHA-256, and the public key. */
export function writeSignedMessage(
  content: JsonObject,
  role: SigningRole,
  keys: ServiceSigner,
): string {
  const data = utf8(JSON.stringify(content));
  const signature = keys.sign(role, sha256(data));
  return JSON.stringify({
    version: 'v1.0.0',
    data: hex(data),
    dataSignature: hex(
      derOfEcdsaSignature({ r: signature.subarray(0, 32), s: signature.subarray(32) }),
    ),
    // Clients compare it as a text, in lower case.
    enclaveQuorumPublic: hex(keys.publicKey(role)),
  });
}
