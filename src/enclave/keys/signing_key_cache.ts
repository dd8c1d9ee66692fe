// The cache of derived signing keys of all organizations. Evicted keys are wiped.

import { wipe } from '../../core/base/bytes.ts';
import { createRecentCache, type RecentCache } from '../../core/base/lru_cache.ts';

/** Maximum number of cached signing keys, over all organizations. */
const maximumCachedKeys = 4096;

/** Maximum number of remembered deletions of wallets. An earlier request may still use a deleted wallet. */
const maximumDeletedWallets = 10_000;

/** Signing keys by name, `organization/wallet/curve/path`. Evicted keys are wiped. */
export type SigningKeyCache = RecentCache<Uint8Array> & {
  dropWallet(organizationId: string, walletId: string): void;
  /** Drops the keys of a deleted wallet. Keys that are derived from it later are not cached. */
  dropDeletedWallet(organizationId: string, walletId: string): void;
  isDeleted(organizationId: string, walletId: string): boolean;
  dropOrganization(organizationId: string): void;
};

/** Creates a cache that wipes evicted keys. */
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
      const wallet = `${organizationId}/${walletId}`;
      deleted.set(wallet, true);
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
