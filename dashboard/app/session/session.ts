// The signed-in user. The key of a session is created in the page, is not extractable, and is stored in
// IndexedDB.

import { signal } from '@preact/signals';
import { type Client, connect } from '../../../src/client/connect.ts';
import { Refused, RequestFailed } from '../../../src/client/errors.ts';
import type { Session } from '../../../src/client/session.ts';
import { forgetSession, keptSession, newSession } from '../../../src/client/sessions.ts';
import type { Stamp } from '../../../src/client/stamps.ts';
import { checked } from '../service/answers.ts';
import { queries } from '../service/queries.ts';
import type { Config } from './config.ts';
import { pinKeys, pinnedKeys } from './pins.ts';
import { watchedFetch } from './reach.ts';
import { foundProfile, keepProfile, keptProfile } from './reading_profile.ts';
import { notifyTabs, onTabNotice } from './tabs.ts';

export type SignedIn = {
  /** Stamps with the key of the session. */
  readonly client: Client;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly userId: string;
  readonly userName: string;
  /** Names the session among those of the user. */
  readonly publicKey: string;
  readonly expiresAtMs: number;
};

/** Undefined before sign-in. */
export const session = signal<SignedIn | undefined>(undefined);
/** The service no longer knows the session. The screen stays until the user signs in again. */
export const isSessionOver = signal(false);
/** After a sign-out that the service did not confirm: when its session expires. */
export const unconfirmedEnd = signal<number | undefined>(undefined);
/** Ends the session in this tab when it expires. */
let expiry: ReturnType<typeof setTimeout> | undefined;

const store = 'keywright';
const sessionSeconds = 3600;

/** A client for an organization, before or outside of the session. */
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
    const started = await newSession(client, { seconds: sessionSeconds, ...kept, ...profile });
    await enter(config, started);
    notifyTabs({ kind: 'signed in', publicKey: started.publicKey });
  };
  try {
    await start(known);
  } catch (error) {
    if (!(error instanceof Refused) || known !== undefined) throw error;
    // A user without the right to read sees the refusal.
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

/**
 * Ends the session in every tab of this browser, and at the service. Without a confirmation of the service,
 * `unconfirmedEnd` says until when the session lives.
 */
export async function signOut(): Promise<void> {
  const ended = session.value;
  if (ended === undefined) return;
  notifyTabs({ kind: 'signed out', publicKey: ended.publicKey });
  await leave(ended);
  if (!(await deleteSession(ended))) unconfirmedEnd.value = ended.expiresAtMs;
}

/** Forgets the session and what it has read, in this tab and in the store. */
async function leave({ publicKey }: SignedIn): Promise<void> {
  clearTimeout(expiry);
  session.value = undefined;
  isSessionOver.value = false;
  queries.clear();
  // Another tab may have stored a later session.
  const kept = await keptSession(store);
  if (kept === undefined || kept.publicKey === publicKey) await forgetSession(store);
}

/** Deletes the key of a session at the service. Returns false if the service did not confirm it. */
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

/** Follows the other tabs: a session that one tab ends or renews is ended or renewed in all. */
export function followTabs(config: Config): void {
  onTabNotice(({ kind, publicKey }) => {
    const current = session.value;
    if (kind === 'signed out' && current?.publicKey === publicKey) void leave(current);
    if (kind === 'signed in' && isSessionOver.value) {
      // Without an answer, the dialog "Sign in again" stays.
      void restoreSession(config).catch(() => undefined);
    }
  });
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
    // The page does not wait for it; without an answer, the next sign-in pins.
    void client.serviceKeys().then(
      (keys) => pinKeys(place, keys),
      () => undefined,
    );
  }
}
