// The service's own keys, as this browser met them first. Bundles and codes are checked against them.

import type { ServiceKeys } from '../../../src/client/service_keys.ts';

const nameOf = (organizationId: string): string => `keywright.serviceKeys.${organizationId}`;

/** The keys that are pinned for an organization; undefined before the first sign-in. */
export function pinnedKeys(organizationId: string): ServiceKeys | undefined {
  const kept = localStorage.getItem(nameOf(organizationId));
  if (kept === null) return undefined;
  // Unreadable pins are not replaced: new pins would trust whoever answers now.
  try {
    return Object(JSON.parse(kept));
  } catch {
    return {};
  }
}

export function pinKeys(organizationId: string, keys: ServiceKeys): void {
  localStorage.setItem(nameOf(organizationId), JSON.stringify(keys));
}
