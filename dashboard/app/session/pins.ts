// The keys of the service, which this browser pins at the first sign-in. They verify bundles and codes.

import type { ServiceKeys } from '../../../src/client/service_keys.ts';

/** A service, and the organization of the signed-in user. */
type Place = { readonly apiUrl: string; readonly organizationId: string };

const nameOf = (of: string): string => `keywright.serviceKeys.${of}`;
const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the storage key for the pins of a service. It is the origin, because the gateway chooses the
 * organization: with a new organization id it could make the browser pin new keys. On loopback it is the
 * organization, because many services use the same address.
 */
function nameOfPlace({ apiUrl, organizationId }: Place): string {
  const { origin, hostname } = new URL(apiUrl);
  return nameOf(loopback.includes(hostname) ? organizationId : origin);
}

/** Returns the pinned keys of a service; undefined before the first sign-in. */
export function pinnedKeys(place: Place): ServiceKeys | undefined {
  // Earlier versions used the organization as storage key.
  const earlier = localStorage.getItem(nameOf(place.organizationId));
  const stored = localStorage.getItem(nameOfPlace(place)) ?? earlier;
  if (stored === null) return undefined;
  localStorage.setItem(nameOfPlace(place), stored);
  // Never replace unreadable pins, because new pins would trust the current answer.
  try {
    return Object(JSON.parse(stored));
  } catch {
    return {};
  }
}

export function pinKeys(place: Place, keys: ServiceKeys): void {
  localStorage.setItem(nameOfPlace(place), JSON.stringify(keys));
}
