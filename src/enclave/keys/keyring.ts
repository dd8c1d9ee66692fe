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

/** Wallets that are remembered as deleted: a request that began before may still use one. */
const maximumDeletedWallets = 10_000;

/** Signing keys by name, `organization/wallet/curve/path`; one that leaves the cache is wiped. */
export type SigningKeyCache = RecentCache<Uint8Array> & {
  /** Drops the keys of a wallet. */
  dropWallet(organizationId: string, walletId: string): void;
  /** Drops the keys of a wallet that is gone; what is derived of it afterwards does not stay. */
  dropDeletedWallet(organizationId: string, walletId: string): void;
  isDeleted(organizationId: string, walletId: string): boolean;
  /** Drops the keys of all wallets of an organization. */
  dropOrganization(organizationId: string): void;
};

/** A cache that wipes what it drops. */
export function createSigningKeyCache(maximumKeys = maximumCachedKeys): SigningKeyCache {
  /** Names of cached keys by organization. */
  const namesOf = new Map<string, Set<string>>();
  const deleted = createRecentCache<true>(maximumDeletedWallets);
  const keys = createRecentCache<Uint8Array>(maximumKeys, (key, name) => {
    wipe(key);
    const organizationId = organizationOf(name);
    const names = namesOf.get(organizationId);
    names?.delete(name);
    if (names?.size === 0) namesOf.delete(organizationId);
  });
  function dropWhere(organizationId: string, isDropped: (name: string) => boolean): void {
    for (const name of [...(namesOf.get(organizationId) ?? [])]) {
      if (isDropped(name)) keys.drop(name);
    }
  }
  function dropWallet(organizationId: string, walletId: string): void {
    const start = `${organizationId}/${walletId}/`;
    dropWhere(organizationId, (name) => name.startsWith(start));
  }
  return {
    ...keys,
    set: (name, key) => {
      keys.set(name, key);
      namesOf.getOrInsertComputed(organizationOf(name), () => new Set()).add(name);
    },
    dropWallet,
    dropDeletedWallet: (organizationId, walletId) => {
      deleted.set(`${organizationId}/${walletId}`, true);
      dropWallet(organizationId, walletId);
    },
    isDeleted: (organizationId, walletId) =>
      deleted.get(`${organizationId}/${walletId}`) !== undefined,
    dropOrganization: (organizationId) => dropWhere(organizationId, () => true),
  };
}

function organizationOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
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

  /** Hands out a signing key for one use; it belongs to the cache, which wipes it. */
  function withAccountKey<Result>(
    wallet: { id: string; secret: string },
    at: { readonly curve: CurveName; readonly path: string },
    use: (key: Uint8Array) => Result,
  ): Result {
    try {
      return use(accountKey(wallet, at.curve, at.path));
    } finally {
      // The wallet was deleted while this request waited: its commit will tell, the key is gone now.
      if (cache.isDeleted(organizationId, wallet.id)) cache.dropWallet(organizationId, wallet.id);
    }
  }

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
      return withAccountKey(wallet, account, (key) =>
        signWith(key, account.curve, scheme, signedBytes),
      );
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
      withAccountKey(wallet, { curve, path }, curves[curve].publicKeyOf),
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
      const key = withAccountKey(wallet, account, copyOfSecret);
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
