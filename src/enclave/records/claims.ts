// Ensures that a token is used once in the whole deployment. The commit of its use inserts a row whose ID is
// derived from the token. The store inserts an ID once, from any node. If a store hides such rows, the
// enclave's memory of recent uses still refuses the token.

import { uuidOfDigest } from '../../core/base/ids.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import type { StoredOrganization, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';

/** Maximum number of remembered tokens, the newest ones. */
const maximumRemembered = 100_000;

export type Claims = {
  /** Returns rows that only one commit can insert, because ids of organizations are unique. */
  rowsOf(tokenIds: readonly string[]): readonly StoredOrganization[];
  /** Returns true if this enclave has seen the use of any of these tokens. */
  hasSeen(tokenIds: readonly string[]): boolean;
  /** Returns true if this enclave, or the store, knows of a use. */
  isClaimed(tokenId: string): Promise<boolean>;
  /** Remembers tokens after the commit of their use. */
  remember(tokenIds: readonly string[]): void;
};

export function createClaims(store: Pick<StorePort, 'organization'>, keys: RootKeys): Claims {
  const seen = createRecentCache<true>(maximumRemembered);
  // Never equals the ID of an organization.
  const idOf = (tokenId: string): string => uuidOfDigest(keys.blind('token_claim', '', tokenId));
  return {
    rowsOf: (tokenIds) =>
      tokenIds.map((tokenId) => ({
        organizationId: idOf(tokenId),
        parentId: undefined,
        version: 1,
        guard: 1,
        head: new Uint8Array(0),
      })),
    hasSeen: (tokenIds) => tokenIds.some((tokenId) => seen.get(tokenId) === true),
    isClaimed: async (tokenId) => {
      if (seen.get(tokenId) === true) return true;
      const organizationId = idOf(tokenId);
      const asked = { organizationId, kinds: [], knownVersion: 1, fingerprint: undefined };
      return (await store.organization(asked)).version !== undefined;
    },
    remember: (tokenIds) => {
      for (const tokenId of tokenIds) seen.set(tokenId, true);
    },
  };
}
