// The newest verified state of each organization that this enclave has seen, in memory.

import { createWeighedCache } from '../../core/base/lru_cache.ts';
import type { LoadedOrganization } from './change_writer.ts';
import { type DerivedKeys, dropDerivedKeys } from './derived_keys.ts';

const maximumCachedOrganizations = 10_000;
/** Maximum total size of their sealed rows, so that large organizations cannot fill the heap. */
export const maximumCachedBytes = 256 * 1024 * 1024;
/** Minimum weight of an organization, which enforces the maximum number. */
const leastBytes = Math.ceil(maximumCachedBytes / maximumCachedOrganizations);

export type KnownOrganizations = {
  /** Returns the newest state in memory, or undefined. */
  get(organizationId: string): LoadedOrganization | undefined;
  /** Stores a state. Returns the state to use: the cached one if it has the same version. */
  remember(loaded: LoadedOrganization): LoadedOrganization;
  /** Replaces each state by an equivalent state of the same version. */
  replaceAll(change: (loaded: LoadedOrganization) => LoadedOrganization): void;
};

/** Creates an empty cache. `derivedKeys` drops the keys of wallets that a newer state deleted. */
export function createKnownOrganizations(derivedKeys?: DerivedKeys): KnownOrganizations {
  const cache = createWeighedCache<LoadedOrganization>(maximumCachedBytes);
  return {
    get: (organizationId) => cache.get(organizationId),
    remember: (loaded) => {
      const { id, version } = loaded.state;
      const known = cache.get(id);
      if (known?.state.version === version) return known;
      // A slower read must not replace a newer commit.
      if (known === undefined || known.state.version < version) {
        cache.set(id, loaded, Math.max(leastBytes, loaded.bytes));
        if (derivedKeys !== undefined) dropDerivedKeys(known, loaded, derivedKeys);
      }
      return loaded;
    },
    replaceAll: cache.replaceAll,
  };
}
