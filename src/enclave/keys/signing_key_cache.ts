// The cache of derived signing keys, over all organizations. A key that leaves it is wiped.

import { wipe } from '../../core/base/bytes.ts';
import { createRecentCache, type RecentCache } from '../../core/base/lru_cache.ts';

/** Derived signing keys kept in memory, over all organizations. */
const maximumCachedKeys = 4096;

/** Wallets that are remembered as deleted: a request that began before may still use one. */
const maximumDeletedWallets = 10_000;

/** Signing keys by name, `organization/wallet/curve/path`; one that leaves the cache is wiped. */
export type SigningKeyCache = RecentCache<Uint8Array> & {
  dropWallet(organizationId: string, walletId: string): void;
  /** Drops the keys of a deleted wallet; keys derived of it afterwards are not kept. */
  dropDeletedWallet(organizationId: string, walletId: string): void;
  isDeleted(organizationId: string, walletId: string): boolean;
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
