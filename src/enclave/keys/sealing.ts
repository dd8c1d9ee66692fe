// Sealed records: AES-256-GCM under a key of the organization and the period, bound to their place. A record
// moved to another organization, kind, id or version does not open. A sealed body is:
//
//   1 (version of this form), period (4, big endian), nonce (12), ciphertext, tag (16)
//   2, key epoch (4), period (4), nonce (12), ciphertext, tag (16)
//   3, key epoch (4), period (4), mark (28), digest (32), nonce (12), ciphertext, tag (16)
//
// A new key for each day bounds the number of records under one key. A body of the previous form has neither
// version nor period, and opens under the key of the organization. The second form follows a rotation of the
// root key. The third form is a body that a rotation sealed again. Its associated data has the mark and the
// digest of the first body, by which other rows refer to it.

import { concatBytes, hex, utf8 } from '../../core/base/bytes.ts';
import type { Steps } from '../../core/base/steps.ts';
import { open, sealTextInSteps, sealWithNonce } from '../../core/crypto/aead.ts';
import { publicSha256 } from '../../core/crypto/hashes.ts';
import {
  carriedBytes,
  epochBytes,
  headerBytes,
  headerIn,
  markBytes,
  nonceBytes,
  originBytes,
  type SealedHeader,
  sealedForms,
  tagBytes,
} from '../../core/custody/sealed_form.ts';
import { type KeyPurpose, keysAt, type RootKeys } from './root_keys.ts';

const periodMs = 24 * 60 * 60 * 1000;

export type RecordAddress = {
  readonly organizationId: string;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
};

export type Sealing = {
  /** Seals bytes, or the UTF-8 bytes of a text. */
  seal(place: RecordAddress, plaintext: Uint8Array | string): Uint8Array;
  /** Like `seal` for a long text, in steps. */
  sealInSteps(place: RecordAddress, plaintext: string): Steps<Uint8Array>;
  /** Returns undefined if the bytes were not sealed for that place. */
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
      const header = headerOf(keys.epoch, period);
      return sealWithNonce(key, random(nonceBytes), plaintext, associatedData(place), header);
    },
    sealInSteps: function* (place, plaintext) {
      const period = periodOf(clock());
      const key = keys.key(purpose, ownerOf(place, period));
      const header = headerOf(keys.epoch, period);
      return yield* sealTextInSteps(
        key,
        random(nonceBytes),
        plaintext,
        // Sealing another body between two steps overwrites this memory.
        associatedData(place).slice(),
        header,
      );
    },
    open: (place, sealed) => {
      const header = headerIn(sealed);
      const own = header && keysAt(keys, header.epoch);
      const opened =
        header === undefined || own === undefined
          ? undefined
          : openUnder(own.key(purpose, ownerOf(place, header.period)), place, sealed, header);
      if (opened !== undefined) return opened;
      const first = keysAt(keys, 0)?.key(purpose, place.organizationId);
      return first && openUnder(first, place, sealed, previousForm);
    },
  };
}

/**
 * Seals an opened body again with the keys of another epoch. The new body keeps the mark and the digest of
 * the first one.
 */
export function sealAgain(
  place: RecordAddress,
  { sealed, plaintext }: { readonly sealed: Uint8Array; readonly plaintext: Uint8Array },
  {
    purpose,
    keys,
    random,
    now,
  }: {
    readonly purpose: KeyPurpose;
    readonly keys: RootKeys;
    readonly random: (length: number) => Uint8Array;
    readonly now: number;
  },
): Uint8Array {
  const period = periodOf(now);
  const header = epochHeader(sealedForms.carried, keys.epoch, period, carriedBytes);
  const origin = header.subarray(-originBytes);
  origin.set(markIn(sealed));
  origin.set(digestIn(sealed), markBytes);
  const key = keys.key(purpose, ownerOf(place, period));
  return sealWithNonce(key, random(nonceBytes), plaintext, associatedData(place, origin), header);
}

const previousForm: Pick<SealedHeader, 'length' | 'origin'> = { length: 0, origin: undefined };

/** Returns undefined unless the bytes were sealed under this key for this place. */
function openUnder(
  key: Uint8Array,
  place: RecordAddress,
  sealed: Uint8Array,
  { length, origin }: Pick<SealedHeader, 'length' | 'origin'>,
): Uint8Array | undefined {
  const ciphertextAt = length + nonceBytes;
  if (sealed.length < ciphertextAt + tagBytes) return undefined;
  const nonce = sealed.subarray(length, ciphertextAt);
  return open(key, nonce, sealed.subarray(ciphertextAt), associatedData(place, origin));
}

/** Returns the period of a time: days since 1970, in four bytes. */
function periodOf(atMs: number): number {
  return Math.max(0, Math.floor(atMs / periodMs));
}

/** Returns the header of a new body. The first epoch has the first form. */
function headerOf(epoch: number, period: number): Uint8Array {
  if (epoch > 0) return epochHeader(sealedForms.ofEpoch, epoch, period);
  const header = new Uint8Array(headerBytes);
  header[0] = sealedForms.first;
  new DataView(header.buffer).setUint32(1, period);
  return header;
}

function epochHeader(
  form: number,
  epoch: number,
  period: number,
  length: number = headerBytes + epochBytes,
): Uint8Array {
  const header = new Uint8Array(length);
  header[0] = form;
  const view = new DataView(header.buffer);
  view.setUint32(1, epoch);
  view.setUint32(1 + epochBytes, period);
  return header;
}

/** Returns the owner name of the key of one period. */
const ownerOf = ({ organizationId }: RecordAddress, period: number): string =>
  `${organizationId}/${period}`;

/** Returns how many bytes a text has once it is sealed in a key epoch. */
export function sealedLengthOf(plaintext: string, epoch: number): number {
  const header = epoch > 0 ? headerBytes + epochBytes : headerBytes;
  return header + nonceBytes + utf8(plaintext).length + tagBytes;
}

/**
 * Returns a unique id of a sealed body in hex: its first 12 and last 16 bytes. They hold part of the random
 * nonce and the tag. It stays the same when a rotation seals the body again.
 */
export function sealMark(sealed: Uint8Array): string {
  return hex(markIn(sealed));
}

/** Returns the SHA-256 of a sealed body in hex. It stays the same when a rotation seals the body again. */
export function sealDigest(sealed: Uint8Array): string {
  return hex(digestIn(sealed));
}

function markIn(sealed: Uint8Array): Uint8Array {
  const origin = headerIn(sealed)?.origin;
  if (origin !== undefined) return origin.subarray(0, markBytes);
  return concatBytes(sealed.subarray(0, nonceBytes), sealed.subarray(sealed.length - tagBytes));
}

function digestIn(sealed: Uint8Array): Uint8Array {
  return headerIn(sealed)?.origin?.subarray(markBytes) ?? publicSha256(sealed);
}

/** Memory for associated data, which is not secret. It is filled anew for each body. */
const associatedMemory = Buffer.alloc(1_024);
/** Maximum UTF-8 bytes of one UTF-16 unit. */
const utf8BytesOfUnit = 3;

/** Returns the associated data of a body. It is valid until the next call. */
function associatedData(place: RecordAddress, origin?: Uint8Array): Uint8Array {
  const { organizationId, kind, id, version } = place;
  const text = `${organizationId}\0${kind}\0${id}\0${version}`;
  const isLong = text.length * utf8BytesOfUnit + originBytes > associatedMemory.length;
  const memory = isLong
    ? Buffer.alloc(text.length * utf8BytesOfUnit + originBytes)
    : associatedMemory;
  const length = memory.write(text, 0, 'utf8');
  if (origin === undefined) return memory.subarray(0, length);
  memory.set(origin, length);
  return memory.subarray(0, length + originBytes);
}
