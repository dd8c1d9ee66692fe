// The service's own keys, pinned by this browser at first use. They verify bundles and codes.

import type { ServiceKeys } from '../../../src/client/service_keys.ts';

/** A service, and the organization of the signed-in user. */
type Place = { readonly apiUrl: string; readonly organizationId: string };

const nameOf = (of: string): string => `keywright.serviceKeys.${of}`;
const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The name of the pins of a service. Which organization is signed in to is the word of the gateway: one that
 * names another organization must not be met for the first time. On this machine services come and go at
 * one address.
 */
function nameOfPlace({ apiUrl, organizationId }: Place): string {
  const { origin, hostname } = new URL(apiUrl);
  return nameOf(loopback.includes(hostname) ? organizationId : origin);
}

/** Returns the pinned keys of a service; undefined before the first sign-in. */
export function pinnedKeys(place: Place): ServiceKeys | undefined {
  // Earlier versions stored pins by organization.
  const earlier = localStorage.getItem(nameOf(place.organizationId));
  const kept = localStorage.getItem(nameOfPlace(place)) ?? earlier;
  if (kept === null) return undefined;
  localStorage.setItem(nameOfPlace(place), kept);
  // Unreadable pins are not replaced, because new pins would trust the current answer.
  try {
    return Object(JSON.parse(kept));
  } catch {
    return {};
  }
}

export function pinKeys(place: Place, keys: ServiceKeys): void {
  localStorage.setItem(nameOfPlace(place), JSON.stringify(keys));
}
