// Who is signed in. The key of a session is made in the page, cannot be read, and lies in IndexedDB.

import { signal } from '@preact/signals';
import { type Client, connect } from '../../../src/client/connect.ts';
import { Refused, RequestFailed } from '../../../src/client/errors.ts';
import {
  forgetSession,
  keptSession,
  newSession,
  type Session,
} from '../../../src/client/sessions.ts';
import type { Stamp } from '../../../src/client/stamps.ts';
import { checked } from '../service/answers.ts';
import { queries } from '../service/queries.ts';
import type { Config } from './config.ts';
import { pinKeys, pinnedKeys } from './pins.ts';
import { watchedFetch } from './reach.ts';
import { foundProfile, keepProfile, keptProfile } from './reading_profile.ts';

export type SignedIn = {
  /** Stamps with the key of the session. */
  readonly client: Client;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly userId: string;
  readonly userName: string;
};

/** Undefined while nobody is signed in. */
export const session = signal<SignedIn | undefined>(undefined);
/** The service no longer knows the session: what is on the screen stays until somebody signs in again. */
export const isSessionOver = signal(false);

const store = 'keywright';
export const sessionSeconds = 3600;

/** A client for an organization, before or beside the session. */
export function clientFor(config: Config, organizationId: string, stamp: Stamp): Client {
  const serviceKeys = pinnedKeys({ ...config, organizationId });
  const client = connect({
    url: config.apiUrl,
    organizationId,
    stamp,
    ...(serviceKeys === undefined ? {} : { serviceKeys }),
    fetch: watchedFetch,
    verifySecp256k1: async (...vote) => {
      const { verifySecp256k1 } = await import('./verify_secp256k1.ts');
      return verifySecp256k1(...vote);
    },
  });
  return checked(client);
}

/**
 * Starts a session as whom the client stamps, and keeps it. Where policies allow only sessions that read, it
 * is one of those. Raises the errors of the client.
 */
export async function startSession(config: Config, client: Client): Promise<void> {
  const { organizationId } = client;
  const known = config.sessionProfileId ?? keptProfile(organizationId);
  const start = async (sessionProfileId: string | undefined) => {
    const profile = sessionProfileId === undefined ? {} : { sessionProfileId };
    const kept = await (await place()).keptAs(config, store);
    await enter(config, await newSession(client, { seconds: sessionSeconds, ...kept, ...profile }));
  };
  try {
    await start(known);
  } catch (error) {
    if (!(error instanceof Refused) || known !== undefined) throw error;
    // Who may not even ask is told of the refusal.
    const found = await foundProfile(client).catch(() => undefined);
    if (found === undefined) throw error;
    await start(found);
    keepProfile(organizationId, found);
  }
}

/** Fetched when there is, or will be, a session. */
const place = () => import('../service/place.ts');

/**
 * Restores the session of an earlier visit, if its service answers now and still accepts it. Deletes the
 * session of another service, because that service would accept its stamps.
 */
export async function restoreSession(config: Config): Promise<void> {
  const kept = await keptSession(store);
  if (kept === undefined) return;
  if (!(await (await place()).isKeptFor(config, kept))) return forgetSession(store);
  try {
    await enter(config, kept);
  } catch (error) {
    if (!isUnknownSession(error)) throw error;
    await forgetSession(store);
  }
}

/** Signs out once the command that serves the page has ended. */
export async function endWithCommand(config: Config): Promise<void> {
  if (config.passkeys === false) (await place()).onEndOfCommand(() => void signOut());
}

/** Ends the session here, and forgets what it has read. */
export async function signOut(): Promise<void> {
  await forgetSession(store);
  session.value = undefined;
  isSessionOver.value = false;
  queries.clear();
}

/** True if an error says that the session has ended. */
export const isUnknownSession = (error: unknown): boolean =>
  error instanceof RequestFailed && error.status === 401;

async function enter(config: Config, started: Session): Promise<void> {
  const { organizationId } = started;
  const client = clientFor(config, organizationId, started);
  const { userId, username: userName, organizationName } = await client.query('whoami');
  const previous = session.value;
  if (previous !== undefined && previous.userId !== userId) queries.clear();
  session.value = { client, organizationId, organizationName, userId, userName };
  isSessionOver.value = false;
  const place = { ...config, organizationId };
  if (pinnedKeys(place) === undefined) {
    // Nothing waits for it; without an answer the next sign-in pins.
    void client.serviceKeys().then(
      (keys) => pinKeys(place, keys),
      () => undefined,
    );
  }
}
