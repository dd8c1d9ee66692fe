// The root keys of an enclave during a rotation: one seals, and the keys before and after it only open.

import { copyOfSecret, hex, secretBytes, utf8 } from '../../core/base/bytes.ts';
import { hmacSha256 } from '../../core/crypto/hashes.ts';
import { createRootKeys, keyBytes, type RootKeys } from './root_keys.ts';

export type KeyRing = RootKeys & {
  /** Adds keys that only open. Replaces keys of the same epoch. */
  add(keys: RootKeys): void;
  /** Seals with these keys from now on. The earlier keys only open. */
  advance(keys: RootKeys): void;
  /** Wipes the keys of all other epochs. */
  keepCurrent(): void;
  /** Returns true if there are keys of other epochs than the current one. */
  hasOthers(): boolean;
};

export function createKeyRing(first: RootKeys): KeyRing {
  let current = first;
  const others = new Map<number, RootKeys>();

  function add(keys: RootKeys): void {
    others.get(keys.epoch)?.close();
    others.set(keys.epoch, keys);
  }

  function keepCurrent(): void {
    for (const keys of others.values()) keys.close();
    others.clear();
  }

  return {
    get epoch() {
      return current.epoch;
    },
    key: (purpose, owner) => current.key(purpose, owner),
    blind: (index, scope, value) => current.blind(index, scope, value),
    earlierOrNext: (epoch) => others.get(epoch),
    add,
    advance: (keys) => {
      others.get(keys.epoch)?.close();
      others.delete(keys.epoch);
      others.set(current.epoch, current);
      current = keys;
    },
    keepCurrent,
    hasOthers: () => others.size > 0,
    close: () => {
      keepCurrent();
      current.close();
    },
  };
}

/** Returns the keys of an epoch for opening rows only, which need no lasting keys. */
export function openingKeys(rootKey: Uint8Array, epoch: number): RootKeys {
  const own = copyOfSecret(rootKey);
  if (epoch === 0) return createRootKeys(own);
  return createRootKeys(own, { epoch, seed: secretBytes(keyBytes), kept: new Map() });
}

const nameBytes = 8;

/** Returns the public name of a root key, by which nodes compare their keys. */
export function nameOfRootKey(rootKey: Uint8Array): string {
  const keys = createRootKeys(copyOfSecret(rootKey));
  try {
    return hex(hmacSha256(keys.key('key_name', ''), utf8('name')).subarray(0, nameBytes));
  } finally {
    keys.close();
  }
}
