// Sessions: keys that are not extractable, which stamp requests in place of a passkey for some time.

import type { Client } from './connect.ts';
import type { Session, SessionOptions } from './session.ts';

/**
 * Starts a session for the user of the client's stamp. Throws `NeedsVotes` and `Refused`; then no session is
 * stored.
 */
export const newSession = async (client: Client, options: SessionOptions): Promise<Session> =>
  (await sessions()).start(client, options);

/** Returns the session that the page stored; undefined if it has expired. */
export const keptSession = async (
  store = 'keywright',
  now: () => number = Date.now,
): Promise<Session | undefined> => (await sessions()).kept(store, now());

/** Deletes the stored session. At the service, it stays valid until it expires or is deleted there. */
export const forgetSession = async (store = 'keywright'): Promise<void> =>
  (await sessions()).forget(store);

/** Loaded only if sessions are used. */
const sessions = () => import('./session_store.ts');
