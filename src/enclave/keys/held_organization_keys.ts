// Organization keys that were unsealed in this enclave, held only in memory.

import { wipe } from '../../core/base/bytes.ts';
import type { OrganizationKeyMark } from '../../core/organization/records/organization_key.ts';

/**
 * Maximum number of held keys. The organization of an evicted key becomes sealed in this enclave. The family
 * with the most keys loses one, so a parent with many sub-organizations cannot seal the organizations of
 * another parent.
 */
const maximumHeldKeys = 10_000;

export type HeldOrganizationKeys = {
  /** Returns the key if it was unsealed since the last seal. The key is shared: the cache wipes it. */
  key(organizationId: string, mark: OrganizationKeyMark): Uint8Array | undefined;
  /** Holds a key until the next seal. */
  hold(of: Keeper, mark: OrganizationKeyMark, key: Uint8Array): void;
  /** Wipes the key of an organization whose newer state has another mark. */
  follow(organizationId: string, mark: OrganizationKeyMark | undefined): void;
};

type Keeper = { readonly id: string; readonly parentId: string | undefined };

type Held = {
  readonly mark: OrganizationKeyMark;
  readonly key: Uint8Array;
  /** The id of the parent, or of an organization without a parent. */
  readonly family: string;
};

/** `wiped` is called for each organization whose key is wiped. */
export function createHeldOrganizationKeys(
  wiped: (organizationId: string) => void = () => undefined,
  maximum = maximumHeldKeys,
): HeldOrganizationKeys {
  /** In the order of last use. */
  const held = new Map<string, Held>();

  function drop(organizationId: string): void {
    const known = held.get(organizationId);
    if (known === undefined) return;
    held.delete(organizationId);
    wipe(known.key);
    wiped(organizationId);
  }

  /** Drops the key of the largest family that was unused for longest. */
  function makeRoom(): void {
    const sizes = new Map<string, number>();
    for (const { family } of held.values()) sizes.set(family, (sizes.get(family) ?? 0) + 1);
    const most = Math.max(...sizes.values());
    const [oldest] = held.entries().find(([, { family }]) => sizes.get(family) === most) ?? [];
    if (oldest !== undefined) drop(oldest);
  }

  return {
    key: (organizationId, mark) => {
      const known = held.get(organizationId);
      if (known === undefined || !isSame(known.mark, mark)) return undefined;
      held.delete(organizationId);
      held.set(organizationId, known);
      return known.key;
    },
    hold: ({ id: organizationId, parentId }, { id, seals }, key) => {
      const family = parentId === undefined ? organizationId : `below ${parentId}`;
      drop(organizationId);
      held.set(organizationId, { mark: { id, seals }, key, family });
      if (held.size > maximum) makeRoom();
    },
    follow: (organizationId, mark) => {
      const known = held.get(organizationId);
      if (known !== undefined && mark !== undefined && isSame(known.mark, mark)) return;
      drop(organizationId);
    },
  };
}

const isSame = (mark: OrganizationKeyMark, other: OrganizationKeyMark): boolean =>
  mark.id === other.id && mark.seals === other.seals;
