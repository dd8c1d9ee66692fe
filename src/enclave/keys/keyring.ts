// The keys of one organization. A secret is opened only inside the function that uses it. Derived signing
// keys are cached, and wiped when they are evicted.

import type { SignatureScheme } from '../../core/address/index.ts';
import { concatSecrets, copyOfSecret, wipe } from '../../core/base/bytes.ts';
import type { CurveName } from '../../core/base/enums.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
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
import { requireHeldHere } from '../../core/keys/external_keys.ts';
import type { Keyring, RawSignature } from '../../core/keys/keyring.ts';
import type { OrganizationKeyMark } from '../../core/organization/records/organization_key.ts';
import {
  createOrganizationKeyring,
  innerSealing,
  type OrganizationKeyPorts,
} from './organization_keyring.ts';
import type { SigningKeyCache } from './signing_key_cache.ts';
import { createWrappedSecrets, type SecretRecord, type WrappedSecrets } from './wrapped_secrets.ts';

const seedBytes = 64;
const privateKeyBytes = 32;

/** Maximum number of cached keyrings. They have no state, but creating one creates two dozen functions. */
const maximumCachedKeyrings = 1_000;

/** Returns a lookup of keyrings by organization and by the mark of its own key, if it has one. */
export function createKeyrings(
  ports: Omit<Parameters<typeof createKeyring>[0], 'organizationId' | 'mark'>,
): (organizationId: string, mark?: OrganizationKeyMark) => Keyring {
  const keyrings = createRecentCache<Keyring>(maximumCachedKeyrings);
  return (organizationId, mark) => {
    const name = mark === undefined ? organizationId : `${organizationId}/${mark.id}/${mark.seals}`;
    const known = keyrings.get(name);
    if (known !== undefined) return known;
    const keyring = createKeyring({ ...ports, organizationId, mark });
    keyrings.set(name, keyring);
    return keyring;
  };
}

type KeyringPorts = OrganizationKeyPorts & { readonly cache: SigningKeyCache };

type KeyringParts = {
  readonly secrets: WrappedSecrets;
  readonly random: KeyringPorts['random'];
  readonly withAccountKey: WithAccountKey;
};

/** Creates the keyring of one organization over the sealing for secrets. */
export function createKeyring(ports: KeyringPorts): Keyring {
  const { organizationId, wrapping, random, cache } = ports;
  const inner = innerSealing(ports);
  const secrets = createWrappedSecrets(organizationId, wrapping, inner);
  const withAccountKey = createAccountKeys(organizationId, secrets, cache, inner?.requireUnsealed);
  const parts = { secrets, random, withAccountKey };
  return {
    ...walletKeys(parts),
    ...privateKeys(parts),
    ...texts(parts),
    ...heldKeys(parts),
    ...signing(parts),
    organizationKey: createOrganizationKeyring(ports),
  };
}

/** Passes the key of a wallet account to a function. The key belongs to the cache, which wipes it. */
type WithAccountKey = <Result>(
  wallet: SecretRecord,
  at: { readonly curve: CurveName; readonly path: string },
  use: (key: Uint8Array) => Result,
) => Result;

function createAccountKeys(
  organizationId: string,
  secrets: WrappedSecrets,
  cache: SigningKeyCache,
  requireUnsealed: (() => void) | undefined,
): WithAccountKey {
  function accountKey(wallet: SecretRecord, curve: CurveName, path: string): Uint8Array {
    // A cached key needs no secret, so the cache alone would not notice the seal.
    requireUnsealed?.();
    const name = `${organizationId}/${wallet.id}/${curve}/${path}`;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const segments = parsePath(path);
    assert(segments !== undefined, 'a stored path is a path');
    const key = secrets.unwrapped('wallet', wallet, (secret) =>
      derivePrivateKey(curve, secret.subarray(0, seedBytes), segments),
    );
    cache.set(name, key);
    return key;
  }
  return (wallet, { curve, path }, use) => {
    try {
      return use(accountKey(wallet, curve, path));
    } finally {
      // The wallet was deleted while this request waited: its commit will fail, and the key is removed now.
      if (cache.isDeleted(organizationId, wallet.id)) cache.dropWallet(organizationId, wallet.id);
    }
  };
}

type WalletKeys = Pick<Keyring, 'createSeed' | 'importSeed' | 'publicKeyAt' | 'useSentence'>;

function walletKeys({ secrets, random, withAccountKey }: KeyringParts): WalletKeys {
  return {
    createSeed: (walletId, wordCount) => {
      const entropy = random(entropyBytesOfWordCount(wordCount));
      const seed = seedOfEntropy(entropy);
      const secret = concatSecrets(seed, entropy);
      try {
        return secrets.wrap('wallet', walletId, secret);
      } finally {
        wipe(entropy, seed, secret);
      }
    },
    importSeed: (walletId, contents) => {
      const imported = readImportedSentence(contents);
      if (imported === undefined) return undefined;
      const { language, seed, sentence } = imported;
      const secret = concatSecrets(seed, sentence);
      try {
        return { secret: secrets.wrap('wallet', walletId, secret), language };
      } finally {
        wipe(seed, sentence, secret);
      }
    },
    publicKeyAt: (wallet, curve, path) =>
      withAccountKey(wallet, { curve, path }, curves[curve].publicKeyOf),
    useSentence: (wallet, use) =>
      secrets.unwrapped('wallet', wallet, (secret) => {
        const rest = secret.subarray(seedBytes);
        const sentence = wallet.language === undefined ? mnemonicOfEntropy(rest) : rest;
        try {
          return use(sentence);
        } finally {
          wipe(sentence);
        }
      }),
  };
}

type PrivateKeys = Pick<Keyring, 'createPrivateKey' | 'importPrivateKey' | 'usePrivateKey'>;

function privateKeys({ secrets, random, withAccountKey }: KeyringParts): PrivateKeys {
  return {
    createPrivateKey: (privateKeyId, curve) => {
      const key = newPrivateKey(curve, random);
      try {
        return {
          secret: secrets.wrap('private_key', privateKeyId, key),
          publicKey: curves[curve].publicKeyOf(key),
        };
      } finally {
        wipe(key);
      }
    },
    importPrivateKey: (privateKeyId, curve, privateKey) =>
      curves[curve].isPrivateKey(privateKey)
        ? {
            secret: secrets.wrap('private_key', privateKeyId, privateKey),
            publicKey: curves[curve].publicKeyOf(privateKey),
          }
        : undefined,
    usePrivateKey: (signingKey, use) => {
      if (signingKey.kind === 'private_key') {
        requireHeldHere(signingKey.privateKey);
        return secrets.unwrapped('private_key', signingKey.privateKey, use);
      }
      const { wallet, account } = signingKey;
      // A copy, because the original belongs to the cache.
      const key = withAccountKey(wallet, account, copyOfSecret);
      try {
        return use(key);
      } finally {
        wipe(key);
      }
    },
  };
}

function texts({ secrets }: KeyringParts): Pick<Keyring, 'keepText' | 'useText'> {
  return {
    keepText: (secretId, text) => secrets.wrap('text', secretId, text),
    useText: (record, use) => secrets.unwrapped('text', record, use),
  };
}

function heldKeys({
  secrets,
  random,
}: KeyringParts): Pick<Keyring, 'createHeldKey' | 'useHeldKey'> {
  return {
    createHeldKey: (kind, recordId) => {
      const key = newP256Key(random);
      try {
        return {
          secret: secrets.wrap(kind, recordId, key),
          publicKey: keyAgreement(key).publicKey,
        };
      } finally {
        wipe(key);
      }
    },
    useHeldKey: (kind, record, use) => secrets.unwrapped(kind, record, use),
  };
}

function signing({ secrets, withAccountKey }: KeyringParts): Pick<Keyring, 'sign' | 'signAll'> {
  const signAll: Keyring['signAll'] = (signingKey, scheme, signedBytes) => {
    if (signingKey.kind === 'wallet_account') {
      const { wallet, account } = signingKey;
      return withAccountKey(wallet, account, (key) =>
        signWith(key, account.curve, scheme, signedBytes),
      );
    }
    const { privateKey } = signingKey;
    requireHeldHere(privateKey);
    return secrets.unwrapped('private_key', privateKey, (key) =>
      signWith(key, privateKey.curve, scheme, signedBytes),
    );
  };
  return {
    signAll,
    sign: (signingKey, scheme, signedBytes) => {
      const [signature] = signAll(signingKey, scheme, [signedBytes]);
      assert(signature !== undefined, 'what is signed has a signature');
      return signature;
    },
  };
}

function newPrivateKey(curve: CurveName, random: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const key = random(privateKeyBytes);
    // Nearly every value is valid: all but about one in 2^32 (P-256) or 2^128 (secp256k1).
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
