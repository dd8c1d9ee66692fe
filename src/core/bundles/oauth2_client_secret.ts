// The client secret of an OAuth 2.0 provider, sealed by its owner to a key of the service. It is not HPKE but
// an older envelope: nonce (12), ephemeral public key (65), length (4, little-endian), ciphertext and tag.
// The envelope names no owner, but its content may: JSON with the secret, the organization and the client.

import { bytesOfHex, concatBytes, utf8, wipe } from '../base/bytes.ts';
import { open } from '../crypto/aead.ts';
import { hmacSha512 } from '../crypto/hashes.ts';
import type { KeyAgreement } from '../crypto/key_agreement.ts';
import { strictJsonObject } from '../schema/strict_json.ts';
import type { OpenedMessage } from './client_message.ts';

/** Secrets of providers have 32 to about 100 bytes. */
const maximumClientSecretBytes = 1024;

const nonceBytes = 12;
const publicKeyBytes = 65;
const headBytes = nonceBytes + publicKeyBytes + 4;
const tagBytes = 16;
const keyBytes = 32;
const keyLabel = utf8('qos_encryption_hmac_message');
const lengthOfKey = Uint8Array.of(publicKeyBytes);

/** Maximum number of hex digits of an envelope. */
export const maximumEnvelopeCharacters = 2 * (headBytes + maximumClientSecretBytes + tagBytes);

/** The client for which a caller submits an envelope. */
export type EnvelopeOwner = {
  readonly organizationId: string;
  readonly provider: string;
  readonly clientId: string;
};

/**
 * Returns the secret: the whole content, or the member `clientSecret` of a JSON object that names its owner.
 * Wipes the content if it is not returned.
 */
export function secretOfContent(content: Uint8Array, owner: EnvelopeOwner): OpenedMessage {
  if (content[0] !== openingBrace) return { plaintext: content };
  const bound = strictJsonObject(content);
  if (bound === undefined || !('clientSecret' in bound)) return { plaintext: content };
  wipe(content);
  const { clientSecret, organizationId, provider, clientId, ...others } = bound;
  if (typeof clientSecret !== 'string' || Object.keys(others).length > 0) {
    return {
      refusal: 'expected `clientSecret`, `organizationId`, `provider` and `clientId` to be sealed',
    };
  }
  const isOwner =
    typeof organizationId === 'string' &&
    organizationId.toLowerCase() === owner.organizationId &&
    provider === owner.provider &&
    clientId === owner.clientId;
  return isOwner
    ? { plaintext: utf8(clientSecret) }
    : { refusal: 'it was sealed for another organization or another client' };
}

const openingBrace = 0x7b;

/** Opens an envelope (hex) with the key agreement of the role `secret_receiver`. */
export function openClientSecret(text: string, receiver: KeyAgreement): OpenedMessage {
  if (text.length > maximumEnvelopeCharacters) {
    return { refusal: `expected at most ${maximumEnvelopeCharacters} characters` };
  }
  const envelope = bytesOfHex(text);
  if (envelope === undefined) return { refusal: 'expected hex' };
  const sealed = envelope.subarray(headBytes);
  const isWhole = sealed.length >= tagBytes && lengthIn(envelope) === sealed.length;
  if (!isWhole) return { refusal: 'expected an envelope of the length that it says' };
  const nonce = envelope.subarray(0, nonceBytes);
  const ephemeral = envelope.subarray(nonceBytes, nonceBytes + publicKeyBytes);
  const shared = receiver.sharedSecret(ephemeral);
  if (shared === undefined) return { refusal: 'expected a P-256 public key after the nonce' };
  const keyMaterial = concatBytes(ephemeral, receiver.publicKey, shared);
  const hash = hmacSha512(keyMaterial, keyLabel);
  const associatedData = concatBytes(ephemeral, lengthOfKey, receiver.publicKey, lengthOfKey);
  const plaintext = open(hash.subarray(0, keyBytes), nonce, sealed, associatedData);
  wipe(shared, keyMaterial, hash);
  return plaintext === undefined
    ? { refusal: 'it was not sealed to the key that this service publishes for it' }
    : { plaintext };
}

function lengthIn(envelope: Uint8Array): number {
  const { buffer, byteOffset } = envelope;
  return new DataView(buffer, byteOffset).getUint32(nonceBytes + publicKeyBytes, true);
}
