// Sessions: a key with a non-extractable private half, which replaces a passkey for some time.

import type { Client } from './connect.ts';
import type { Session, SessionOptions } from './session.ts';

/**
 * Starts a session for the user of the client's stamp. Raises `NeedsVotes` and `Refused`; then no session is
 * stored.
 */
export const newSession = async (client: Client, options: SessionOptions): Promise<Session> =>
  (await sessions()).start(client, options);

/** Returns the stored session of a page, unless it has expired. */
export const keptSession = async (
  store = 'keywright',
  now: () => number = Date.now,
): Promise<Session | undefined> => (await sessions()).kept(store, now());

/** Forgets the session that a page kept. At the service it lives until it expires or is deleted. */
export const forgetSession = async (store = 'keywright'): Promise<void> =>
  (await sessions()).forget(store);

/** Fetched by who has sessions alone. */
const sessions = () => import('./session_store.ts');
