// Sealed records: AES-256-GCM under the organization's key, bound to the place where they belong.
// A sealed body is `nonce (12) ‖ ciphertext ‖ tag (16)`; what stands in another organization, kind,
// id or version does not open.

import { hex, utf8 } from '../../core/base/bytes.ts';
import { open, sealWithNonce } from '../../core/crypto/aead.ts';
import type { KeyPurpose, RootKeys } from './root_keys.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** Address of a sealed value. */
export type RecordAddress = {
  readonly organizationId: string;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
};

export type Sealing = {
  /** A text is sealed as its UTF-8 bytes. */
  seal(place: RecordAddress, plaintext: Uint8Array | string): Uint8Array;
  /** Undefined when the bytes were not sealed by us for that place. */
  open(place: RecordAddress, sealed: Uint8Array): Uint8Array | undefined;
};

/** Seals and opens with the keys of one purpose: `seal` for records, `wrap` for secrets in them. */
export function createSealing(
  purpose: KeyPurpose,
  keys: RootKeys,
  random: (length: number) => Uint8Array,
): Sealing {
  return {
    seal: (place, plaintext) => {
      const nonce = random(nonceBytes);
      const key = keys.key(purpose, place.organizationId);
      return sealWithNonce(key, nonce, plaintext, associatedData(place));
    },
    open: (place, sealed) => {
      if (sealed.length < nonceBytes + tagBytes) return undefined;
      const key = keys.key(purpose, place.organizationId);
      const nonce = sealed.subarray(0, nonceBytes);
      return open(key, nonce, sealed.subarray(nonceBytes), associatedData(place));
    },
  };
}

/** Returns how many bytes a text has once it is sealed. */
export function sealedLengthOf(plaintext: string): number {
  return nonceBytes + utf8(plaintext).length + tagBytes;
}

/** Returns the identity of one sealed body among all that were ever sealed: nonce and tag, hex. */
export function sealMark(sealed: Uint8Array): string {
  return hex(sealed.subarray(0, nonceBytes)) + hex(sealed.subarray(sealed.length - tagBytes));
}

function associatedData(place: RecordAddress): Uint8Array {
  const { organizationId, kind, id, version } = place;
  return utf8(`${organizationId}\0${kind}\0${id}\0${version}`);
}
