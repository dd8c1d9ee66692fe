// Finds the read-only session profile, and stores which profile this browser uses for new sessions.

import type { Client } from '../../../src/client/connect.ts';

const nameOf = (organizationId: string): string => `keywright.sessionProfile.${organizationId}`;

/** Returns the profile that this browser stored, if any. */
export const keptProfile = (organizationId: string): string | undefined =>
  localStorage.getItem(nameOf(organizationId)) ?? undefined;

export const keepProfile = (organizationId: string, sessionProfileId: string): void =>
  localStorage.setItem(nameOf(organizationId), sessionProfileId);

/** The scope expression of a read-only session. */
export const readingScope = 'false';

/** Returns the id of the read-only profile, if the organization has one. The client stamps the request. */
export async function findReadingProfile(client: Client): Promise<string | undefined> {
  const { sessionProfiles } = await client.query('get_session_profiles');
  return sessionProfiles.find(({ scope }) => scope === readingScope)?.sessionProfileId;
}
