// Queries on the states in memory. The gateway compares their versions with the store before it shows the
// answer (docs/decisions/0190-queries-on-known-states.md).

import type { KnownStates, Repository } from './ports.ts';

/** Maximum states from memory in a query, because the gateway compares each with the store. */
const maximumKnownStates = 4;

/** Returns the repository with organizations from memory where possible. Adds their states to `used`. */
export function onKnownStates(repository: Repository, used: KnownStates): Repository {
  return {
    ...repository,
    organization: async (organizationId, fingerprint) => {
      const hasRoom = used.size < maximumKnownStates;
      const state =
        used.get(organizationId) ?? (hasRoom ? repository.known(organizationId) : undefined);
      if (state === undefined || fingerprint !== undefined) {
        return repository.organization(organizationId, fingerprint);
      }
      used.set(organizationId, state);
      return { state, activity: undefined };
    },
  };
}
