// The HTTP form of a delivery: its headers and its signed bytes.

import { base64url, concatBytes, hex, utf8 } from '../base/bytes.ts';
import { keySetMemberPrefixes, webhookHeaderPrefixes } from '../base/compatibility.ts';
import type { WebhookEventType } from '../base/enums.ts';
import { sha256 } from '../crypto/hashes.ts';
import type { JsonObject } from '../schema/json.ts';

const contentType = { name: 'Content-Type', value: 'application/json' };
const algorithm = 'ed25519';
const version = 'v1';
/** Version of the delivery's form, independent of its signature's version. */
const deliveryVersion = '1';

/** Values for the headers of a delivery. */
type DeliveryWords = {
  /** ID of the signing key, by `keyIdOf`. */
  readonly keyId: string;
  /** Time of this attempt, in milliseconds since 1970. */
  readonly timestampMs: number;
  readonly eventId: string;
};

/** Returns `v1.ed25519.<key id>.<timestamp>.<event id>.<body>`; only the body may contain a dot. */
export function signedMessage(
  { keyId, timestampMs, eventId }: DeliveryWords,
  body: Uint8Array,
): Uint8Array {
  return concatBytes(utf8([version, algorithm, keyId, timestampMs, eventId, ''].join('.')), body);
}

/** Returns the headers of a delivery, with `compatible` also under the names for public clients. */
export function deliveryHeaders(
  words: DeliveryWords & {
    readonly organizationId: string;
    readonly eventType: WebhookEventType;
    readonly sequence: number;
    readonly signature: Uint8Array;
  },
  compatible: boolean,
): readonly { readonly name: string; readonly value: string }[] {
  const values: Readonly<Record<string, string>> = {
    'Organization-Id': words.organizationId,
    'Event-Type': words.eventType,
    'Webhook-Version': deliveryVersion,
    'Event-Id': words.eventId,
    Timestamp: String(words.timestampMs),
    'Signature-Key-Id': words.keyId,
    'Signature-Algorithm': algorithm,
    'Signature-Version': version,
    Signature: hex(words.signature),
  };
  return [
    contentType,
    { name: 'X-Service-Sequence', value: String(words.sequence) },
    ...webhookHeaderPrefixes(compatible).flatMap((prefix) =>
      Object.entries(values).map(([name, value]) => ({ name: `${prefix}${name}`, value })),
    ),
  ];
}

/** Headers of a delivery to the URL of `FEATURE_NAME_WEBHOOK`. */
export const featureHeaders = [contentType] as const;

/** The thumbprint of an Ed25519 public key (32 bytes), base64url (RFC 7638, RFC 8037). */
export function keyIdOf(publicKey: Uint8Array): string {
  const members = { crv: 'Ed25519', kty: 'OKP', x: base64url(publicKey) };
  return base64url(sha256(utf8(JSON.stringify(members))));
}

/** The JSON Web Key Set (RFC 7517) of these public keys, 32 bytes each. */
export function keySetView(publicKeys: readonly Uint8Array[], compatible: boolean): JsonObject {
  const said = { signature_algorithm: algorithm, signature_version: version };
  const members = Object.fromEntries(
    keySetMemberPrefixes(compatible).flatMap((prefix) =>
      Object.entries(said).map(([name, value]) => [`${prefix}${name}`, value]),
    ),
  );
  return {
    keys: publicKeys.map((publicKey) => ({
      kid: keyIdOf(publicKey),
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      x: base64url(publicKey),
      ...members,
    })),
  };
}
