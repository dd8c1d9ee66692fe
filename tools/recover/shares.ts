// Combines shares into the root key, and derives its age identity.

import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';
import { combine } from 'shamir-secret-sharing';

const magic = utf8ToBytes('keywright root key share 1\n');
const keyIdBytes = 16;

type Share = {
  readonly threshold: number;
  readonly number: number;
  readonly keyId: string;
  readonly value: Uint8Array;
};

/** Parses an opened share. Raises an error for malformed bytes. */
export function readShare(bytes: Uint8Array): Share {
  const threshold = bytes[magic.length] ?? 0;
  const count = bytes[magic.length + 1] ?? 0;
  const digestsAt = magic.length + 2 + keyIdBytes;
  const numberAt = digestsAt + 32 * count;
  const number = bytes[numberAt] ?? 0;
  const value = bytes.slice(numberAt + 1);
  const digestAt = digestsAt + 32 * (number - 1);
  const digest = bytesToHex(bytes.subarray(digestAt, digestAt + 32));
  const isShare =
    bytesToHex(bytes.subarray(0, magic.length)) === bytesToHex(magic) &&
    value.length === 33 &&
    number >= 1 &&
    number <= count;
  if (!isShare) throw new Error('a file holds no share of a root key');
  if (bytesToHex(sha256(value)) !== digest) throw new Error(`share ${number} was altered`);
  const keyId = bytesToHex(bytes.subarray(digestsAt - keyIdBytes, digestsAt));
  return { threshold, number, keyId, value };
}

/** Returns the root key of shares. Raises an error if the result differs from the key they identify. */
export async function combineShares(shares: readonly Share[]): Promise<Uint8Array> {
  const [first] = shares;
  if (first === undefined) throw new Error('the identities open no share');
  if (shares.length < first.threshold) {
    throw new Error(`${shares.length} of ${first.threshold} needed shares were opened`);
  }
  const rootKey = await combine(shares.map(({ value }) => value));
  const id = hmac(sha256, rootKey, utf8ToBytes('keywright id of a shared root key'));
  if (bytesToHex(id.subarray(0, keyIdBytes)) === first.keyId) return rootKey;
  throw new Error(
    'the shares yield a different key from the one they name: take shares of one sharing',
  );
}

/** Returns the age identity for archives sealed to the root key. */
export function identityOfRootKey(rootKey: Uint8Array): string {
  const key = hkdf(sha256, rootKey, undefined, utf8ToBytes('keywright/v1/export_key/'), 32);
  return bech32.encode('age-secret-key-', bech32.toWords(key)).toUpperCase();
}
