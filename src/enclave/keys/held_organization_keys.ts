// Organization keys that were unsealed in this enclave. They are only in memory.

import { wipe } from '../../core/base/bytes.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import type { OrganizationKeyMark } from '../../core/organization/records/organization_key.ts';

/** Maximum number of held keys. The organization of an evicted key is sealed in this enclave. */
const maximumHeldKeys = 10_000;

export type HeldOrganizationKeys = {
  /** Returns the key if it was unsealed since the last seal. The key is shared: the cache wipes it. */
  key(organizationId: string, mark: OrganizationKeyMark): Uint8Array | undefined;
  /** Holds a key until the next seal. */
  hold(organizationId: string, mark: OrganizationKeyMark, key: Uint8Array): void;
  /** Wipes the key if the newer state of its organization has another mark. Returns true if it was wiped. */
  follow(organizationId: string, mark: OrganizationKeyMark | undefined): boolean;
};

type Held = { readonly mark: OrganizationKeyMark; readonly key: Uint8Array };

export function createHeldOrganizationKeys(maximum = maximumHeldKeys): HeldOrganizationKeys {
  const held = createRecentCache<Held>(maximum, ({ key }) => wipe(key));
  return {
    key: (organizationId, mark) => {
      const known = held.get(organizationId);
      return known !== undefined && isSame(known.mark, mark) ? known.key : undefined;
    },
    hold: (organizationId, { id, seals }, key) =>
      held.set(organizationId, { mark: { id, seals }, key }),
    follow: (organizationId, mark) => {
      const known = held.get(organizationId);
      if (known === undefined || (mark !== undefined && isSame(known.mark, mark))) return false;
      held.drop(organizationId);
      return true;
    },
  };
}

const isSame = (mark: OrganizationKeyMark, other: OrganizationKeyMark): boolean =>
  mark.id === other.id && mark.seals === other.seals;
