// Sealed records: AES-256-GCM under a key of the organization and the period, bound to their place. A record
// moved to another organization, kind, id or version does not open. A sealed body is:
//
//   1 (version of this form), period (4, big endian), nonce (12), ciphertext, tag (16)
//
// A new key for each day bounds the number of records under one key. A body of the previous form has neither
// version nor period, and opens under the key of the organization.

import { hex, utf8 } from '../../core/base/bytes.ts';
import { open, sealWithNonce } from '../../core/crypto/aead.ts';
import type { KeyPurpose, RootKeys } from './root_keys.ts';

const formVersion = 1;
/** Length of the version and the period. */
const headerBytes = 5;
const nonceBytes = 12;
const tagBytes = 16;
const periodMs = 24 * 60 * 60 * 1000;

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

/**
 * Seals and opens with the keys of one purpose: `seal` for records, `wrap` for secrets in them. The clock is
 * optional for callers that only open; without it, records are sealed in the first period.
 */
export function createSealing(
  purpose: KeyPurpose,
  keys: RootKeys,
  random: (length: number) => Uint8Array,
  clock: () => number = () => 0,
): Sealing {
  return {
    seal: (place, plaintext) => {
      const period = periodOf(clock());
      const key = keys.key(purpose, ownerOf(place, period));
      const header = headerOf(period);
      return sealWithNonce(key, random(nonceBytes), plaintext, associatedData(place), header);
    },
    open: (place, sealed) => {
      const period = periodIn(sealed);
      const opened =
        period === undefined
          ? undefined
          : openUnder(keys.key(purpose, ownerOf(place, period)), place, sealed, headerBytes);
      return opened ?? openUnder(keys.key(purpose, place.organizationId), place, sealed, 0);
    },
  };
}

/** Returns undefined unless the bytes were sealed under this key for this place. */
function openUnder(
  key: Uint8Array,
  place: RecordAddress,
  sealed: Uint8Array,
  from: number,
): Uint8Array | undefined {
  const ciphertextAt = from + nonceBytes;
  if (sealed.length < ciphertextAt + tagBytes) return undefined;
  const nonce = sealed.subarray(from, ciphertextAt);
  return open(key, nonce, sealed.subarray(ciphertextAt), associatedData(place));
}

/** Returns the period of a time: days since 1970, in four bytes. */
function periodOf(atMs: number): number {
  return Math.max(0, Math.floor(atMs / periodMs));
}

function headerOf(period: number): Uint8Array {
  const header = new Uint8Array(headerBytes);
  header[0] = formVersion;
  new DataView(header.buffer).setUint32(1, period);
  return header;
}

/** Returns the period of a body. Returns undefined for a body of another form. */
function periodIn(sealed: Uint8Array): number | undefined {
  if (sealed[0] !== formVersion || sealed.length < headerBytes) return undefined;
  const { buffer, byteOffset } = sealed;
  return new DataView(buffer, byteOffset, headerBytes).getUint32(1);
}

/** Returns the owner name of the key of one period. */
const ownerOf = ({ organizationId }: RecordAddress, period: number): string =>
  `${organizationId}/${period}`;

/** Returns how many bytes a text has once it is sealed. */
export function sealedLengthOf(plaintext: string): number {
  return headerBytes + nonceBytes + utf8(plaintext).length + tagBytes;
}

/**
 * Returns a unique id of a sealed body in hex: its first 12 and last 16 bytes. They hold part of the random
 * nonce and the tag.
 */
export function sealMark(sealed: Uint8Array): string {
  return hex(sealed.subarray(0, nonceBytes)) + hex(sealed.subarray(sealed.length - tagBytes));
}

function associatedData(place: RecordAddress): Uint8Array {
  const { organizationId, kind, id, version } = place;
  return utf8(`${organizationId}\0${kind}\0${id}\0${version}`);
}
