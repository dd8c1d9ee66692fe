// The newest verified state of each organization that this enclave has seen, in memory.

import { createRecentCache } from '../../core/base/lru_cache.ts';
import type { LoadedOrganization } from './change_writer.ts';
import { type DerivedKeys, dropDerivedKeys } from './derived_keys.ts';

/** Organizations whose verified state stays in memory. */
const maximumCachedOrganizations = 10_000;

export type KnownOrganizations = {
  /** Returns the newest state in memory, or undefined. */
  get(organizationId: string): LoadedOrganization | undefined;
  /** Stores a state. Returns the state to go on with: the one in memory if it has the same version. */
  remember(loaded: LoadedOrganization): LoadedOrganization;
};

/** Creates an empty memory. `derivedKeys` drops the keys of wallets that a newer state deleted. */
export function createKnownOrganizations(derivedKeys?: DerivedKeys): KnownOrganizations {
  const cache = createRecentCache<LoadedOrganization>(maximumCachedOrganizations);
  return {
    get: (organizationId) => cache.get(organizationId),
    remember: (loaded) => {
      const { id, version } = loaded.state;
      const known = cache.get(id);
      if (known?.state.version === version) return known;
      // A slower read must not replace what was committed meanwhile.
      if (known === undefined || known.state.version < version) {
        cache.set(id, loaded);
        if (derivedKeys !== undefined) dropDerivedKeys(known, loaded, derivedKeys);
      }
      return loaded;
    },
  };
}
