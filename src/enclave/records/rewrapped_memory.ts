// Replaces the secrets of an organization in memory after a rotation of the root key.

import type { LoadedOrganization } from './change_writer.ts';
import { type Rewrap, secretMembers } from './wrapped_secrets.ts';

/** Returns an organization in memory with all secrets in the current key epoch. */
export function withRewrappedSecrets(
  loaded: LoadedOrganization,
  rewrap: Rewrap,
): LoadedOrganization {
  const { id, records } = loaded.state;
  const kinds = Object.entries(records).map(([kind, rows]) => {
    if (secretMembers[kind] === undefined) return [kind, rows] as const;
    const rewrapped = [...rows].map(([name, row]) => [name, rewrap(id, kind, row)] as const);
    return [kind, new Map<string, object>(rewrapped)] as const;
  });
  // Only the secret members of rows have changed.
  const after = Object.fromEntries(kinds) as unknown as typeof records;
  return { ...loaded, state: { ...loaded.state, records: after } };
}
