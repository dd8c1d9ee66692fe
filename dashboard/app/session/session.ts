// The signed-in user. The page creates the session key, which is not extractable, and stores it in IndexedDB.

import { signal } from '@preact/signals';
import { type Client, connect } from '../../../src/client/connect.ts';
import { Refused, RequestFailed } from '../../../src/client/errors.ts';
import type { Session } from '../../../src/client/session.ts';
import { forgetSession, keptSession, newSession } from '../../../src/client/sessions.ts';
import type { Stamp } from '../../../src/client/stamps.ts';
import { fetchScreenTexts } from '../../messages/text.ts';
import { checked } from '../service/answers.ts';
import { queries } from '../service/queries.ts';
import type { Config } from './config.ts';
import { pinKeys, pinnedKeys } from './pins.ts';
import { watchedFetch } from './reach.ts';
import { findReadingProfile, keepProfile, keptProfile } from './reading_profile.ts';
import { notifyTabs, onTabNotice } from './tabs.ts';

export type SignedIn = {
  /** Stamps with the session key. */
  readonly client: Client;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly userId: string;
  readonly userName: string;
  /** Identifies the session among the user's sessions. */
  readonly publicKey: string;
  readonly expiresAtMs: number;
};

/** Undefined before the sign-in. */
export const session = signal<SignedIn | undefined>(undefined);
/** True if the service no longer accepts the session. The screen stays until the user signs in again. */
export const isSessionOver = signal(false);
/** Expiry of a session that the service did not confirm to have deleted at the sign-out. */
export const unconfirmedEnd = signal<number | undefined>(undefined);
/** Marks the session as over when it expires. */
let expiry: ReturnType<typeof setTimeout> | undefined;

const store = 'keywright';
const sessionSeconds = 3600;

/** Returns a client for an organization. Also works without a session. */
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
 * Starts a session for the credential that stamps, and stores it. If the service refuses an ordinary session,
 * starts one with the read-only profile. Throws the errors of the client.
 */
export async function startSession(config: Config, client: Client): Promise<void> {
  const { organizationId } = client;
  const known = config.sessionProfileId ?? keptProfile(organizationId);
  const start = async (sessionProfileId: string | undefined) => {
    const profile = sessionProfileId === undefined ? {} : { sessionProfileId };
    const storage = await (await place()).storageOptions(config, store);
    const started = await newSession(client, { seconds: sessionSeconds, ...storage, ...profile });
    await enter(config, started);
    notifyTabs({ kind: 'signed in', publicKey: started.publicKey });
  };
  try {
    await start(known);
  } catch (error) {
    if (!(error instanceof Refused) || known !== undefined) throw error;
    // A user who cannot read the profiles gets the original refusal.
    const found = await findReadingProfile(client).catch(() => undefined);
    if (found === undefined) throw error;
    await start(found);
    keepProfile(organizationId, found);
  }
}

/**
 * Loaded only for pages with a session or a sign-in, because its chunk also has modules of screens, which use
 * texts when they are evaluated.
 */
async function place() {
  await fetchScreenTexts();
  return import('../service/place.ts');
}

/**
 * Restores the stored session if the same service answers and accepts it. Deletes a session of another
 * service: otherwise the service at this address could forward stamps of that session.
 */
export async function restoreSession(config: Config): Promise<void> {
  const stored = await keptSession(store);
  if (stored === undefined) return;
  if (!(await (await place()).isStoredFor(config, stored))) return forgetSession(store);
  try {
    await enter(config, stored);
  } catch (error) {
    if (!isUnknownSession(error)) throw error;
    await forgetSession(store);
  }
}

/** Signs out once the command that serves the page has ended. */
export async function endWithCommand(config: Config): Promise<void> {
  if (config.passkeys === false) (await place()).onEndOfCommand(() => void signOut());
}

/**
 * Signs out in all tabs, and deletes the session at the service. If the service does not confirm, sets
 * `unconfirmedEnd` to the expiry of the session.
 */
export async function signOut(): Promise<void> {
  const ended = session.value;
  if (ended === undefined) return;
  notifyTabs({ kind: 'signed out', publicKey: ended.publicKey });
  await leave(ended);
  if (!(await deleteSession(ended))) unconfirmedEnd.value = ended.expiresAtMs;
}

/** Deletes the session and all cached data, in this tab and in the store. */
async function leave({ publicKey }: SignedIn): Promise<void> {
  clearTimeout(expiry);
  session.value = undefined;
  isSessionOver.value = false;
  queries.clear();
  // Another tab may have stored a newer session.
  const stored = await keptSession(store);
  if (stored === undefined || stored.publicKey === publicKey) await forgetSession(store);
}

/** Deletes the session key at the service. Returns false if the service did not confirm. */
async function deleteSession({ client, userId, publicKey }: SignedIn): Promise<boolean> {
  try {
    const { apiKeys } = await client.query('get_api_keys', { userId });
    const found = apiKeys.find(({ credential }) => credential.publicKey === publicKey);
    if (found === undefined) return true;
    const { apiKeyId } = found;
    const deleted = await client.ask('delete_api_keys', { userId, apiKeyIds: [apiKeyId] });
    return deleted.outcome === 'done';
  } catch (error) {
    return isUnknownSession(error);
  }
}

/** Follows the other tabs: a sign-out or a new sign-in of one tab applies to all. */
export function followTabs(config: Config): void {
  onTabNotice(({ kind, publicKey }) => {
    const current = session.value;
    if (kind === 'signed out' && current?.publicKey === publicKey) void leave(current);
    if (kind === 'signed in' && isSessionOver.value) {
      // If the service does not answer, the dialog "Sign in again" stays open.
      void restoreSession(config).catch(() => undefined);
    }
  });
}

/** Returns true if the service rejected the session. */
export const isUnknownSession = (error: unknown): boolean =>
  error instanceof RequestFailed && error.status === 401;

async function enter(config: Config, started: Session): Promise<void> {
  const { organizationId } = started;
  const client = clientFor(config, organizationId, started);
  const { userId, username: userName, organizationName } = await client.query('whoami');
  const previous = session.value;
  if (previous !== undefined && previous.userId !== userId) queries.clear();
  const { publicKey, expiresAtMs } = started;
  const names = { organizationId, organizationName, userId, userName };
  session.value = { client, ...names, publicKey, expiresAtMs };
  isSessionOver.value = false;
  unconfirmedEnd.value = undefined;
  clearTimeout(expiry);
  expiry = setTimeout(() => {
    isSessionOver.value = true;
  }, expiresAtMs - client.now());
  const place = { ...config, organizationId };
  if (pinnedKeys(place) === undefined) {
    // Not awaited. If it fails, the next sign-in pins the keys.
    void client.serviceKeys().then(
      (keys) => pinKeys(place, keys),
      () => undefined,
    );
  }
}
