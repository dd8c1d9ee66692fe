// The keys of one organization. A secret is opened only inside the function that uses it; derived
// signing keys stay in a bounded cache and are wiped when they leave it.

import type { SignatureScheme } from '../../core/address/index.ts';
import {
  base64url,
  bytesOfBase64url,
  concatSecrets,
  copyOfSecret,
  wipe,
} from '../../core/base/bytes.ts';
import type { CurveName } from '../../core/base/enums.ts';
import { createRecentCache, type RecentCache } from '../../core/base/lru_cache.ts';
import { curves } from '../../core/crypto/curves.ts';
import { keyAgreement, newPrivateKey as newP256Key } from '../../core/crypto/key_agreement.ts';
import { signSchnorrAll, tweakPrivateKey } from '../../core/crypto/schnorr.ts';
import { derivePrivateKey } from '../../core/derivation/derive.ts';
import { readImportedSentence } from '../../core/derivation/imported_sentence.ts';
import {
  entropyBytesOfWordCount,
  mnemonicOfEntropy,
  seedOfEntropy,
} from '../../core/derivation/mnemonic.ts';
import { parsePath } from '../../core/derivation/path.ts';
import { assert } from '../../core/errors/errors.ts';
import type { HeldKeyKind, Keyring, RawSignature, WrappedSecret } from '../../core/keys/keyring.ts';
import type { Sealing } from './sealing.ts';

/** Derived signing keys kept in memory, over all organizations. */
export const maximumCachedKeys = 4096;

const seedBytes = 64;
const privateKeyBytes = 32;
/** A wrapped secret never changes, so its version is fixed. */
const secretVersion = 1;

/** What a wrapped secret is of; it opens as nothing else. */
type SecretKind = 'wallet' | 'private_key' | 'text' | HeldKeyKind;

/** Signing keys by name; one that leaves the cache is wiped. */
export type SigningKeyCache = RecentCache<Uint8Array>;

/** A cache that wipes what it drops. */
export function createSigningKeyCache(maximumKeys = maximumCachedKeys): SigningKeyCache {
  return createRecentCache<Uint8Array>(maximumKeys, wipe);
}

/** Keyrings hold nothing: those used last are kept because a new one costs its two dozen functions. */
const maximumCachedKeyrings = 1_000;

/** Gives the keyring of an organization by its id. */
export function createKeyrings(
  ports: Omit<Parameters<typeof createKeyring>[0], 'organizationId'>,
): (organizationId: string) => Keyring {
  const keyrings = createRecentCache<Keyring>(maximumCachedKeyrings);
  return (organizationId) => {
    const known = keyrings.get(organizationId);
    if (known !== undefined) return known;
    const keyring = createKeyring({ ...ports, organizationId });
    keyrings.set(organizationId, keyring);
    return keyring;
  };
}

/** The keyring of one organization over the sealing for secrets. */
export function createKeyring(ports: {
  organizationId: string;
  wrapping: Sealing;
  random: (length: number) => Uint8Array;
  cache: SigningKeyCache;
}): Keyring {
  const { organizationId, wrapping, random, cache } = ports;
  const place = (kind: SecretKind, id: string) => ({
    organizationId,
    kind: `${kind}_secret`,
    id,
    version: secretVersion,
  });

  function wrap(kind: SecretKind, id: string, secret: Uint8Array): WrappedSecret {
    return base64url(wrapping.seal(place(kind, id), secret));
  }
  function unwrap(kind: SecretKind, id: string, secret: WrappedSecret): Uint8Array {
    const sealed = bytesOfBase64url(secret);
    const opened = sealed === undefined ? undefined : wrapping.open(place(kind, id), sealed);
    assert(opened !== undefined, 'a secret opens in the record that it was wrapped for');
    return opened;
  }

  function unwrapped<Result>(
    kind: SecretKind,
    record: { readonly id: string; readonly secret: WrappedSecret },
    use: (secret: Uint8Array) => Result,
  ): Result {
    const secret = unwrap(kind, record.id, record.secret);
    try {
      return use(secret);
    } finally {
      wipe(secret);
    }
  }

  /** The signing key itself; it belongs to the cache, so it is not wiped by the caller. */
  function accountKey(wallet: { id: string; secret: string }, curve: CurveName, path: string) {
    const name = `${organizationId}/${wallet.id}/${curve}/${path}`;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const segments = parsePath(path);
    assert(segments !== undefined, 'a stored path is a path');
    const key = unwrapped('wallet', wallet, (secret) =>
      derivePrivateKey(curve, secret.subarray(0, seedBytes), segments),
    );
    cache.set(name, key);
    return key;
  }

  const signAll: Keyring['signAll'] = (signingKey, scheme, signedBytes) => {
    if (signingKey.kind === 'wallet_account') {
      const { wallet, account } = signingKey;
      const key = accountKey(wallet, account.curve, account.path);
      return signWith(key, account.curve, scheme, signedBytes);
    }
    const { privateKey } = signingKey;
    return unwrapped('private_key', privateKey, (key) =>
      signWith(key, privateKey.curve, scheme, signedBytes),
    );
  };

  return {
    createSeed: (walletId, wordCount) => {
      const entropy = random(entropyBytesOfWordCount(wordCount));
      const seed = seedOfEntropy(entropy);
      const secret = concatSecrets(seed, entropy);
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
    importSeed: (walletId, contents) => {
      const imported = readImportedSentence(contents);
      if (imported === undefined) return undefined;
      const { language, seed, sentence } = imported;
      const secret = concatSecrets(seed, sentence);
      try {
        return { secret: wrap('wallet', walletId, secret), language };
      } finally {
        wipe(seed, sentence, secret);
      }
    },
    importPrivateKey: (privateKeyId, curve, privateKey) =>
      curves[curve].isPrivateKey(privateKey)
        ? {
            secret: wrap('private_key', privateKeyId, privateKey),
            publicKey: curves[curve].publicKeyOf(privateKey),
          }
        : undefined,
    useSentence: (wallet, use) =>
      unwrapped('wallet', wallet, (secret) => {
        const rest = secret.subarray(seedBytes);
        const sentence = wallet.language === undefined ? mnemonicOfEntropy(rest) : rest;
        try {
          return use(sentence);
        } finally {
          wipe(sentence);
        }
      }),
    usePrivateKey: (signingKey, use) => {
      if (signingKey.kind === 'private_key') {
        return unwrapped('private_key', signingKey.privateKey, use);
      }
      const { wallet, account } = signingKey;
      // The other one belongs to the cache.
      const key = copyOfSecret(accountKey(wallet, account.curve, account.path));
      try {
        return use(key);
      } finally {
        wipe(key);
      }
    },
    keepText: (secretId, text) => wrap('text', secretId, text),
    useText: (record, use) => unwrapped('text', record, use),
    createHeldKey: (kind, recordId) => {
      const key = newP256Key(random);
      try {
        return { secret: wrap(kind, recordId, key), publicKey: keyAgreement(key).publicKey };
      } finally {
        wipe(key);
      }
    },
    useHeldKey: (kind, record, use) => unwrapped(kind, record, use),
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
