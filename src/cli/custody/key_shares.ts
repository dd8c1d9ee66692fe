// Shares of a root key: any `threshold` of them give the key, fewer give nothing (Shamir's secret sharing).
//
// A share is binary, in this order:
//
//   "keywright root key share 1\n", threshold (1), count (1), key id (16),
//   SHA-256 of the value of each share (32 × count), number of this share (1), value (33)
//
// All bytes before the number are the same in each share of one sharing, and identify it. The digests show
// which share was altered. The values are uniformly random, so a digest reveals nothing of them.

import { combine, split } from 'shamir-secret-sharing';
import {
  concatBytes,
  copyOfSecret,
  equalBytes,
  hex,
  secretBytes,
  utf8,
  wipe,
} from '../../core/base/bytes.ts';
import { hmacSha256, sha256 } from '../../core/crypto/hashes.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';

/** Shares of one sharing, and the least of them that give the key. */
export const shareBounds = { minimumThreshold: 2, maximumCount: 16 };

const magic = utf8('keywright root key share 1\n');
const keyIdBytes = 16;
const digestBytes = 32;
/** A root key and the coordinate at which the polynomials were evaluated. */
const valueBytes = 33;
const lengthOf = (count: number): number =>
  magic.length + 2 + keyIdBytes + digestBytes * count + 1 + valueBytes;

/** The longest share. */
export const shareMaximumBytes = lengthOf(shareBounds.maximumCount);

export type KeyShare = {
  readonly threshold: number;
  readonly count: number;
  /** From 1. */
  readonly number: number;
  /** Identifies the root key; the same in each sharing of it. */
  readonly keyId: string;
  /** Identifies the sharing. */
  readonly sharingId: string;
  /** Secret. */
  readonly value: Uint8Array;
};

/** Returns the shares of a root key, secret bytes for one operator each. */
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
  const { minimumThreshold, maximumCount } = shareBounds;
  if (threshold >= minimumThreshold && threshold <= count && count <= maximumCount) return;
  throw new UnusableDataError(
    `${threshold} of ${count} shares is not possible: the threshold is at least ${minimumThreshold}, and there are at most ${maximumCount} shares`,
  );
}

/** Reads a share; undefined for bytes that are not a share of this version. */
export function readKeyShare(bytes: Uint8Array): KeyShare | undefined {
  if (!equalBytes(bytes.subarray(0, magic.length), magic)) return undefined;
  const [threshold = 0, count = 0] = bytes.subarray(magic.length);
  if (threshold < shareBounds.minimumThreshold || threshold > count) return undefined;
  if (count > shareBounds.maximumCount || bytes.length !== lengthOf(count)) return undefined;
  const digestsAt = magic.length + 2 + keyIdBytes;
  const numberAt = digestsAt + digestBytes * count;
  const number = bytes[numberAt] ?? 0;
  if (number < 1 || number > count) return undefined;
  const value = copyOfSecret(bytes.subarray(numberAt + 1));
  const digestAt = digestsAt + digestBytes * (number - 1);
  if (!equalBytes(sha256(value), bytes.subarray(digestAt, digestAt + digestBytes))) {
    wipe(value);
    throw new UnusableDataError(`share ${number} was altered: take another copy of it`);
  }
  return {
    threshold,
    count,
    number,
    keyId: hex(bytes.subarray(digestsAt - keyIdBytes, digestsAt)),
    sharingId: hex(sha256(bytes.subarray(0, numberAt))),
    value,
  };
}

/** Returns the root key of enough shares, the caller's to wipe. Raises what is wrong with the shares. */
export async function combineShares(shares: readonly KeyShare[]): Promise<Uint8Array> {
  const [first] = shares;
  if (first === undefined) throw new UnusableDataError('there is no share');
  if (shares.some(({ keyId }) => keyId !== first.keyId)) {
    throw new UnusableDataError(
      'the shares belong to different root keys: remove the foreign ones',
    );
  }
  if (shares.some(({ sharingId }) => sharingId !== first.sharingId)) {
    throw new UnusableDataError(
      'the shares come from different sharings of one root key: take those of one sharing',
    );
  }
  const numbers = shares.map(({ number }) => number);
  const repeated = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (repeated !== undefined) {
    throw new UnusableDataError(`share ${repeated} was given twice: each share counts once`);
  }
  const missing = first.threshold - shares.length;
  if (missing > 0) {
    throw new UnusableDataError(
      `${shares.length} of ${first.threshold} needed shares were given: ${missing} more must be found`,
    );
  }
  const rootKey = await combine(shares.map(({ value }) => value));
  if (hex(keyIdOf(rootKey)) === first.keyId) return rootKey;
  wipe(rootKey);
  throw new UnusableDataError('the shares give another key than they name: one of them is forged');
}

/** The id is an output of HMAC under the key, so it reveals nothing of the key. */
const keyIdOf = (rootKey: Uint8Array): Uint8Array =>
  hmacSha256(rootKey, utf8('keywright id of a shared root key')).subarray(0, keyIdBytes);
