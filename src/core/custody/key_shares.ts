// Shares of a root key (Shamir's secret sharing): any `threshold` of them determine the key, fewer reveal
// nothing.
//
// The binary form of a share, in this order:
//
//   "keywright root key share 1\n", threshold (1), count (1), key ID (16),
//   SHA-256 of the value of each share (32 × count), number of this share (1), value (33)
//
// All shares of a sharing have the same bytes before the number, which identify the sharing. The digests show
// which share was altered. The values are uniformly random, so a digest reveals nothing.

import { combine, split } from 'shamir-secret-sharing';
import {
  concatBytes,
  copyOfSecret,
  equalBytes,
  hex,
  secretBytes,
  utf8,
  wipe,
} from '../base/bytes.ts';
import { hmacSha256, sha256 } from '../crypto/hashes.ts';
import { fail } from '../errors/errors.ts';

/** Minimum threshold and maximum count of shares. */
export const shareBounds = { minimumThreshold: 2, maximumCount: 16 };

const magic = utf8('keywright root key share 1\n');
const keyIdBytes = 16;
const digestBytes = 32;
/** A root key and the coordinate at which the polynomials were evaluated. */
const valueBytes = 33;
const digestsAt = magic.length + 2 + keyIdBytes;
const sharingLengthOf = (count: number): number => digestsAt + digestBytes * count;
const lengthOf = (count: number): number => sharingLengthOf(count) + 1 + valueBytes;

/** Maximum lengths of a share and of its common part. */
export const shareMaximumBytes = lengthOf(shareBounds.maximumCount);
export const sharingMaximumBytes = sharingLengthOf(shareBounds.maximumCount);

/** The public part that all shares of a sharing have in common. */
export type Sharing = {
  readonly threshold: number;
  readonly count: number;
  /** Identifies the root key; the same in all its sharings. */
  readonly keyId: string;
  /** Identifies the sharing. */
  readonly sharingId: string;
};

export type KeyShare = Sharing & {
  /** Number of the share, from 1. */
  readonly number: number;
  /** Secret share value. */
  readonly value: Uint8Array;
};

/** Returns the secret shares of a root key, one for each operator. */
export async function splitRootKey(
  rootKey: Uint8Array,
  { threshold, count }: { readonly threshold: number; readonly count: number },
): Promise<readonly Uint8Array[]> {
  requireBounds(threshold, count);
  const values = await split(rootKey, count, threshold);
  try {
    const header = concatBytes(
      magic,
      Uint8Array.of(threshold, count),
      keyIdOf(rootKey),
      ...values.map((value) => sha256(value)),
    );
    return values.map((value, index) => {
      const share = secretBytes(lengthOf(count));
      share.set(header);
      share[header.length] = index + 1;
      share.set(value, header.length + 1);
      return share;
    });
  } finally {
    wipe(...values);
  }
}

function requireBounds(threshold: number, count: number): void {
  const { minimumThreshold: minimum, maximumCount: maximum } = shareBounds;
  if (threshold >= minimum && threshold <= count && count <= maximum) return;
  fail('sharing_impossible', { threshold, count, minimum, maximum });
}

/** Returns the public part of a share, which identifies its sharing. */
export function sharingPartOf(share: Uint8Array): Uint8Array {
  return share.slice(0, share.length - 1 - valueBytes);
}

/** Parses the common part of a sharing. Returns undefined for malformed bytes and other versions. */
export function readSharing(bytes: Uint8Array): Sharing | undefined {
  if (!equalBytes(bytes.subarray(0, magic.length), magic)) return undefined;
  const [threshold = 0, count = 0] = bytes.subarray(magic.length);
  if (threshold < shareBounds.minimumThreshold || threshold > count) return undefined;
  if (count > shareBounds.maximumCount || bytes.length !== sharingLengthOf(count)) return undefined;
  return {
    threshold,
    count,
    keyId: hex(bytes.subarray(digestsAt - keyIdBytes, digestsAt)),
    sharingId: hex(sha256(bytes)),
  };
}

/** Parses a share. Returns undefined for malformed bytes and other versions. */
export function readKeyShare(bytes: Uint8Array): KeyShare | undefined {
  const numberAt = bytes.length - 1 - valueBytes;
  if (numberAt < 0) return undefined;
  const sharing = readSharing(bytes.subarray(0, numberAt));
  const number = bytes[numberAt] ?? 0;
  if (sharing === undefined || number < 1 || number > sharing.count) return undefined;
  const value = copyOfSecret(bytes.subarray(numberAt + 1));
  const digestAt = digestsAt + digestBytes * (number - 1);
  if (!equalBytes(sha256(value), bytes.subarray(digestAt, digestAt + digestBytes))) {
    wipe(value);
    fail('share_altered', { number });
  }
  return { ...sharing, number, value };
}

/** Returns the root key of enough shares, which the caller wipes. Raises the problem of the shares. */
export async function combineShares(shares: readonly KeyShare[]): Promise<Uint8Array> {
  const [first] = shares;
  if (first === undefined) return fail('shares_absent');
  if (shares.some(({ keyId }) => keyId !== first.keyId)) fail('shares_of_different_keys');
  if (shares.some(({ sharingId }) => sharingId !== first.sharingId)) {
    fail('shares_of_different_sharings');
  }
  const numbers = shares.map(({ number }) => number);
  const repeated = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (repeated !== undefined) fail('share_repeated', { number: repeated });
  const { threshold } = first;
  const missing = threshold - shares.length;
  if (missing > 0) fail('shares_missing', { given: shares.length, threshold, missing });
  const rootKey = await combine(shares.map(({ value }) => value));
  if (hex(keyIdOf(rootKey)) === first.keyId) return rootKey;
  wipe(rootKey);
  return fail('shares_forged');
}

/** Returns the key ID, an output of HMAC under the key, so it reveals nothing. */
const keyIdOf = (rootKey: Uint8Array): Uint8Array =>
  hmacSha256(rootKey, utf8('keywright id of a shared root key')).subarray(0, keyIdBytes);
