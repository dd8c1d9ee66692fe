// The optional key of an organization. It seals the secrets of wallets and private keys, and the root key
// seals the result. The organization key is stored once for each holder, sealed with the holder's secret.

import { base64url, bytesOfBase64url, concatBytes, utf8, wipe } from '../base/bytes.ts';
import { open, sealWithNonce } from '../crypto/aead.ts';
import { hmacSha256 } from '../crypto/hashes.ts';
import type { HpkeBinding } from '../crypto/hpke.ts';
import type { OrganizationKeyMark } from '../organization/records/organization_key.ts';

/** Length of an organization key, and of a holder's secret. */
export const organizationKeyBytes = 32;

const nonceBytes = 12;
const noHeader = new Uint8Array(0);

/** `hold` adds a holder, `unseal` opens the key. A secret sealed for one cannot be opened for the other. */
export type HolderPurpose = 'hold' | 'unseal';

/**
 * Binds a holder's secret to its organization, purpose, key, and number of seals, so a recorded secret cannot
 * unseal the organization after the next seal. `mark` is undefined before the key exists. Clients compute the
 * same text.
 */
export function holderBinding(
  organizationId: string,
  purpose: HolderPurpose,
  mark: OrganizationKeyMark | undefined,
): HpkeBinding {
  const lines = ['keywright organization key 1', organizationId, purpose];
  if (mark !== undefined) lines.push(mark.id, String(mark.seals));
  return { info: utf8(lines.join('\n')), associatedData: concatBytes };
}

/** The place of an organization key that is sealed for one holder. */
type HolderPlace = {
  readonly organizationId: string;
  readonly keyId: string;
  readonly holderId: string;
};

const textOfHolder = ({ organizationId, keyId, holderId }: HolderPlace): Uint8Array =>
  utf8(`keywright organization key holder 1\0${organizationId}\0${keyId}\0${holderId}`);

/** Seals an organization key with a holder's secret. */
export function sealForHolder(
  key: Uint8Array,
  secret: Uint8Array,
  place: HolderPlace,
  random: (length: number) => Uint8Array,
): string {
  return base64url(sealUnder(secret, textOfHolder(place), key, random(nonceBytes)));
}

/** Returns the organization key, which the caller wipes. Returns undefined for another secret or place. */
export function openForHolder(
  sealedKey: string,
  secret: Uint8Array,
  place: HolderPlace,
): Uint8Array | undefined {
  const sealed = bytesOfBase64url(sealedKey);
  return sealed && openUnder(secret, textOfHolder(place), sealed);
}

/** The kinds of records whose secrets an organization key seals. */
export type SealableKind = 'wallet' | 'private_key';

/** The place of a secret that an organization key seals. */
type SealablePlace = {
  readonly organizationId: string;
  readonly kind: SealableKind;
  readonly id: string;
};

const textOfSecret = ({ organizationId, kind, id }: SealablePlace): Uint8Array =>
  utf8(`keywright organization secret 1\0${organizationId}\0${kind}\0${id}`);

/** Seals a record's secret with the organization key. */
export function sealByOrganization(
  key: Uint8Array,
  place: SealablePlace,
  secret: Uint8Array,
  random: (length: number) => Uint8Array,
): Uint8Array {
  return sealUnder(key, textOfSecret(place), secret, random(nonceBytes));
}

/** Returns the secret, which the caller wipes. Returns undefined for another key or place. */
export function openByOrganization(
  key: Uint8Array,
  place: SealablePlace,
  sealed: Uint8Array,
): Uint8Array | undefined {
  return openUnder(key, textOfSecret(place), sealed);
}

/** Seals with a key derived for the place, so no two places share a key: `nonce ‖ ciphertext ‖ tag`. */
function sealUnder(
  key: Uint8Array,
  place: Uint8Array,
  plaintext: Uint8Array,
  nonce: Uint8Array,
): Uint8Array {
  const own = hmacSha256(key, place);
  try {
    return sealWithNonce(own, nonce, plaintext, place, noHeader);
  } finally {
    wipe(own);
  }
}

function openUnder(key: Uint8Array, place: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  if (sealed.length < nonceBytes) return undefined;
  const own = hmacSha256(key, place);
  try {
    return open(own, sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes), place);
  } finally {
    wipe(own);
  }
}
