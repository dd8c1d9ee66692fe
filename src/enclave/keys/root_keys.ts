// All keys of the service, derived from one root key: HKDF-SHA-256 with a purpose and an owner, which is an
// organization or a role of the service. After a rotation, keys that clients or lookups depend on keep their
// values, which are stored under the new root key.

import { copyOfSecret, utf8, wipe } from '../../core/base/bytes.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import { hkdfSha256, hmacSha256 } from '../../core/crypto/hashes.ts';
import { assert } from '../../core/errors/errors.ts';

/** Bytes of the root key and of every key derived from it. */
export const keyBytes = 32;

/** The purpose of a derived key. Keys of different purposes are independent. */
export type KeyPurpose =
  | 'seal'
  | 'wrap'
  | 'blind_index'
  | 'completeness'
  | 'service_key'
  | 'session_token'
  | 'backup'
  | 'webhook_key'
  | 'log_key'
  | 'export_key'
  | 'key_epoch'
  | 'key_name';

/** Purposes whose keys survive a rotation. The keys of other purposes change with the root key. */
const lastingPurposes: ReadonlySet<KeyPurpose> = new Set([
  'blind_index',
  'service_key',
  'webhook_key',
  'log_key',
]);

/** A root key that replaced another one. */
export type KeyEpoch = {
  /** Number of rotations so far; at least 1. */
  readonly epoch: number;
  /** 32 random bytes. Lasting keys that are first used in this epoch derive from them. */
  readonly seed: Uint8Array;
  /** Lasting keys of earlier epochs by their names, `purpose/owner`. */
  readonly kept: ReadonlyMap<string, Uint8Array>;
};

export type RootKeys = {
  /** Number of rotations of the root key. */
  readonly epoch: number;
  /** Returns the key of a purpose for one owner. Callers must not store it, because the cache wipes it. */
  key(purpose: KeyPurpose, owner: string): Uint8Array;
  /** Returns the keys of another epoch that open its bodies; undefined if this enclave has none. */
  readonly earlierOrNext?: (epoch: number) => RootKeys | undefined;
  /** Returns the keyed hash under which the store finds a value (32 bytes). */
  blind(index: string, scope: string, value: string): Uint8Array;
  /** Wipes all keys; later calls fail. */
  close(): void;
};

/** Returns the keys that open the bodies of an epoch. */
export function keysAt(keys: RootKeys, epoch: number): RootKeys | undefined {
  return epoch === keys.epoch ? keys : keys.earlierOrNext?.(epoch);
}

/** Maximum number of derived keys in memory. */
const maximumCachedKeys = 4096;

/** Takes ownership of the root key (32 bytes) and its epoch, and wipes them on `close`. */
export function createRootKeys(rootKey: Uint8Array, rotated?: KeyEpoch): RootKeys {
  assert(rootKey.length === keyBytes, 'a root key has 32 bytes');
  const cache = createRecentCache<Uint8Array>(maximumCachedKeys, (key) => wipe(key));
  let isClosed = false;

  function key(purpose: KeyPurpose, owner: string): Uint8Array {
    // A wiped root key is all zeros: anyone can derive the keys below it.
    assert(!isClosed, 'the root key was closed');
    const name = `${purpose}/${owner}`;
    const cached = cache.get(name);
    if (cached !== undefined) return cached;
    const derived = lastingKey(purpose, name) ?? derive(rootKey, name);
    cache.set(name, derived);
    return derived;
  }

  /** Returns a copy, because the cache wipes its keys. */
  function lastingKey(purpose: KeyPurpose, name: string): Uint8Array | undefined {
    if (rotated === undefined || !lastingPurposes.has(purpose)) return undefined;
    const kept = rotated.kept.get(name);
    return kept === undefined ? derive(rotated.seed, name) : copyOfSecret(kept);
  }

  return {
    epoch: rotated?.epoch ?? 0,
    key,
    blind: (index, scope, value) =>
      // Lengths are not needed, because index and scope contain no zero byte.
      hmacSha256(key('blind_index', ''), utf8(`${index}\0${scope}\0${value}`)),
    close: () => {
      isClosed = true;
      wipe(rootKey, rotated?.seed, ...(rotated?.kept.values() ?? []));
      cache.clear();
    },
  };
}

function derive(secret: Uint8Array, name: string): Uint8Array {
  return hkdfSha256(secret, utf8(`keywright/v1/${name}`), keyBytes);
}
