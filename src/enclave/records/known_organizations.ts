// The newest verified state of each organization that this enclave has seen, in memory.

import { createWeighedCache } from '../../core/base/lru_cache.ts';
import type { LoadedOrganization } from './change_writer.ts';
import { type DerivedKeys, dropDerivedKeys } from './derived_keys.ts';

/** Organizations whose verified state stays in memory. */
const maximumCachedOrganizations = 10_000;
/** Bytes of their sealed rows, of all together: one of many large organizations must not fill the heap. */
export const maximumCachedBytes = 256 * 1024 * 1024;
/** The least that each counts as, so that there are never more of them. */
const leastBytes = Math.ceil(maximumCachedBytes / maximumCachedOrganizations);

export type KnownOrganizations = {
  /** Returns the newest state in memory, or undefined. */
  get(organizationId: string): LoadedOrganization | undefined;
  /** Stores a state. Returns the state to go on with: the one in memory if it has the same version. */
  remember(loaded: LoadedOrganization): LoadedOrganization;
  /** Replaces each state by another form of the same version. */
  replaceAll(change: (loaded: LoadedOrganization) => LoadedOrganization): void;
};

/** Creates an empty memory. `derivedKeys` drops the keys of wallets that a newer state deleted. */
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
