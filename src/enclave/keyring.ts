// The keys of one organization. A secret is opened only inside the function that uses it; derived
// signing keys stay in a bounded cache and are wiped when they leave it.

import type { SignatureScheme } from '../core/address/index.ts';
import { base64url, bytesOfBase64url, concatBytes, wipe } from '../core/bytes.ts';
import { curves } from '../core/crypto/curves.ts';
import { signSchnorrAll, tweakPrivateKey } from '../core/crypto/schnorr.ts';
import { derivePrivateKey } from '../core/derivation/derive.ts';
import { entropyBytesOfWordCount, seedOfEntropy } from '../core/derivation/mnemonic.ts';
import { parsePath } from '../core/derivation/path.ts';
import { assert } from '../core/errors.ts';
import type { Keyring, RawSignature, WrappedSecret } from '../core/keyring.ts';
import type { CurveName } from '../core/names.ts';
import { createRecentCache, type RecentCache } from '../core/recent_cache.ts';
import type { Sealing } from './sealing.ts';

/** Derived signing keys kept in memory, over all organizations. */
export const maximumCachedKeys = 4096;

const seedBytes = 64;
const privateKeyBytes = 32;
/** A wrapped secret never changes, so its version is fixed. */
const secretVersion = 1;

/** Signing keys by name; one that leaves the cache is wiped. */
export type SigningKeyCache = RecentCache<Uint8Array>;

/** A cache that wipes what it drops. */
export function createSigningKeyCache(maximumKeys = maximumCachedKeys): SigningKeyCache {
  return createRecentCache<Uint8Array>(maximumKeys, wipe);
}

/** The keyring of one organization over the sealing for secrets. */
export function createKeyring(ports: {
  organizationId: string;
  wrapping: Sealing;
  random: (length: number) => Uint8Array;
  cache: SigningKeyCache;
}): Keyring {
  const { organizationId, wrapping, random, cache } = ports;
  const place = (kind: 'wallet' | 'private_key', id: string) => ({
    organizationId,
    kind: `${kind}_secret`,
    id,
    version: secretVersion,
  });

  function wrap(kind: 'wallet' | 'private_key', id: string, secret: Uint8Array): WrappedSecret {
    return base64url(wrapping.seal(place(kind, id), secret));
  }
  function unwrap(kind: 'wallet' | 'private_key', id: string, secret: WrappedSecret): Uint8Array {
    const sealed = bytesOfBase64url(secret);
    const opened = sealed === undefined ? undefined : wrapping.open(place(kind, id), sealed);
    assert(opened !== undefined, 'a secret opens in the record that it was wrapped for');
    return opened;
  }

  /** The signing key itself; it belongs to the cache, so it is not wiped by the caller. */
  function accountKey(wallet: { id: string; secret: string }, curve: CurveName, path: string) {
    const name = `${organizationId}/${wallet.id}/${curve}/${path}`;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const segments = parsePath(path);
    assert(segments !== undefined, 'a stored path is a path');
    const secret = unwrap('wallet', wallet.id, wallet.secret);
    try {
      const key = derivePrivateKey(curve, secret.subarray(0, seedBytes), segments);
      cache.set(name, key);
      return key;
    } finally {
      wipe(secret);
    }
  }

  const signAll: Keyring['signAll'] = (signingKey, scheme, signedBytes) => {
    if (signingKey.kind === 'wallet_account') {
      const { wallet, account } = signingKey;
      const key = accountKey(wallet, account.curve, account.path);
      return signWith(key, account.curve, scheme, signedBytes);
    }
    const { id, secret, curve } = signingKey.privateKey;
    const key = unwrap('private_key', id, secret);
    try {
      return signWith(key, curve, scheme, signedBytes);
    } finally {
      wipe(key);
    }
  };

  return {
    createSeed: (walletId, wordCount) => {
      const entropy = random(entropyBytesOfWordCount(wordCount));
      const seed = seedOfEntropy(entropy);
      const secret = concatBytes(seed, entropy);
      try {
        return wrap('wallet', walletId, secret);
      } finally {
        wipe(entropy, seed, secret);
      }
    },
    publicKeyAt: (wallet, curve, path) =>
      curves[curve].publicKeyOf(accountKey(wallet, curve, path)),
    createPrivateKey: (privateKeyId, curve) => {
      const key = newPrivateKey(curve, random);
      try {
        return {
          secret: wrap('private_key', privateKeyId, key),
          publicKey: curves[curve].publicKeyOf(key),
        };
      } finally {
        wipe(key);
      }
    },
    sign: (signingKey, scheme, signedBytes) => {
      const [signature] = signAll(signingKey, scheme, [signedBytes]);
      assert(signature !== undefined, 'what is signed has a signature');
      return signature;
    },
    signAll,
  };
}

function newPrivateKey(curve: CurveName, random: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const key = random(privateKeyBytes);
    // All but about one of 2^32 (P-256) and 2^128 (secp256k1) random values are valid keys.
    if (curves[curve].isPrivateKey(key)) return key;
  }
}

function signWith(
  key: Uint8Array,
  curve: CurveName,
  scheme: SignatureScheme,
  signedBytes: readonly Uint8Array[],
): RawSignature[] {
  if (scheme === 'schnorr') return signSchnorrAll(key, signedBytes);
  if (scheme === 'schnorr_tweaked') {
    const tweaked = tweakPrivateKey(key);
    try {
      return signSchnorrAll(tweaked, signedBytes);
    } finally {
      wipe(tweaked);
    }
  }
  return signedBytes.map((bytes) => curves[curve].sign(key, bytes));
}
