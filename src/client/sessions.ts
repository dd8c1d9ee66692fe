// Sessions: a key whose private half nobody can read, for some time in the place of a passkey.

import type { Client } from './connect.ts';
import type { KeyStamp } from './stamps.ts';

/** A session: stamps requests until it expires. */
export type Session = KeyStamp & {
  /** Where it acts: a session that was asked for at a parent may live in a child. */
  readonly organizationId: string;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAtMs: number;
  /** The service for which the session was started, as the page named it. Optional. */
  readonly service?: string;
};

export type SessionOptions = {
  /** How long it lives. */
  readonly seconds: number;
  /**
   * The name of the service, which is stored with the session. A page that may reach another service later
   * compares the name before it uses the session.
   */
  readonly service?: string;
  /** Name of the IndexedDB database that keeps it; absent: it ends with the page. */
  readonly store?: string;
  readonly sessionProfileId?: string;
  /** Ends the other sessions of this user. */
  readonly invalidateExisting?: boolean;
};

/**
 * Starts a session of the user whom the client stamps as. Raises `NeedsVotes` and `Refused`, and then no
 * session is kept.
 */
export const newSession = async (client: Client, options: SessionOptions): Promise<Session> =>
  (await sessions()).start(client, options);

/** The session that a page kept, until it expires; undefined where there is none. */
export const keptSession = async (
  store = 'keywright',
  now: () => number = Date.now,
): Promise<Session | undefined> => (await sessions()).kept(store, now());

/** Forgets the session that a page kept. At the service it lives until it expires or is deleted. */
export const forgetSession = async (store = 'keywright'): Promise<void> =>
  (await sessions()).forget(store);

/** Fetched by who has sessions alone. */
const sessions = () => import('./session_store.ts');
