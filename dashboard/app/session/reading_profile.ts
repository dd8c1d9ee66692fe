// The session profile under which a session reads and does nothing: which one this browser starts sessions with.

import type { Client } from '../../../src/client/connect.ts';

const nameOf = (organizationId: string): string => `keywright.sessionProfile.${organizationId}`;

/** Returns the profile that this browser used last, if any. */
export const keptProfile = (organizationId: string): string | undefined =>
  localStorage.getItem(nameOf(organizationId)) ?? undefined;

export const keepProfile = (organizationId: string, sessionProfileId: string): void =>
  localStorage.setItem(nameOf(organizationId), sessionProfileId);

/** The scope of a session that may only read. */
export const readingScope = 'false';

/** The id of such a profile, if the organization has one. Asks with the stamp of the client. */
export async function foundProfile(client: Client): Promise<string | undefined> {
  const { sessionProfiles } = await client.query('get_session_profiles');
  return sessionProfiles.find(({ scope }) => scope === readingScope)?.sessionProfileId;
}
