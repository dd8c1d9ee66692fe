// Sessions of browsers: a key whose private half nobody can read, kept in IndexedDB.

import type { Client } from './connect.ts';
import { type KeyStamp, keyStamp, newKeyPair } from './stamps.ts';

/** A session: stamps requests until it expires. */
export type Session = KeyStamp & {
  /** Where it acts: a session that was asked for at a parent may live in a child. */
  readonly organizationId: string;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAtMs: number;
};

type Kept = Pick<Session, 'organizationId' | 'expiresAtMs' | 'publicKey'> & {
  readonly privateKey: CryptoKey;
};

export type SessionOptions = {
  /** How long it lives. */
  readonly seconds: number;
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
export async function newSession(client: Client, options: SessionOptions): Promise<Session> {
  const { seconds, store, ...others } = options;
  const { publicKey, privateKey } = await newKeyPair();
  const expiresAtMs = client.now() + seconds * 1000;
  const expirationSeconds = String(seconds);
  const asked = await client.ask('stamp_login', { publicKey, expirationSeconds, ...others });
  if (asked.outcome !== 'done') throw asked.error;
  const { organizationId } = asked.activity;
  const kept = { organizationId, expiresAtMs, publicKey, privateKey };
  if (store !== undefined) await inStore(store, 'readwrite', (of) => of.put(kept, key));
  return sessionOf(kept);
}

/** The session that a page kept, until it expires; undefined where there is none. */
export async function keptSession(
  store = 'keywright',
  now: () => number = Date.now,
): Promise<Session | undefined> {
  const kept = await inStore(store, 'readonly', (of) => of.get(key));
  return kept !== undefined && kept.expiresAtMs > now() ? sessionOf(kept) : undefined;
}

/** Forgets the session that a page kept. At the service it lives until it expires or is deleted. */
export async function forgetSession(store = 'keywright'): Promise<void> {
  await inStore(store, 'readwrite', (of) => of.delete(key));
}

const sessionOf = ({ privateKey, publicKey, organizationId, expiresAtMs }: Kept): Session => ({
  ...keyStamp(privateKey, publicKey),
  organizationId,
  expiresAtMs,
});

/** Of IndexedDB (W3C), which Node does not have, the members that are used here. */
type Request = { result: unknown; error: unknown; onsuccess: unknown; onerror: unknown };
type Table = {
  put(value: Kept, key: string): Request;
  get(key: string): Request;
  delete(key: string): Request;
};
type Database = {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: string): { objectStore(name: string): Table };
  close(): void;
};
type Factory = { open(name: string, version: number): Request & { onupgradeneeded: unknown } };

const table = 'sessions';
const key = 'session';

async function inStore(
  name: string,
  mode: 'readonly' | 'readwrite',
  use: (store: Table) => Request,
): Promise<Kept | undefined> {
  const { indexedDB } = globalThis as unknown as { readonly indexedDB: Factory };
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => (opening.result as Database).createObjectStore(table);
  const database = (await resultOf(opening)) as Database;
  try {
    const found = await resultOf(use(database.transaction(table, mode).objectStore(table)));
    return found as Kept | undefined;
  } finally {
    database.close();
  }
}

const resultOf = (request: Request): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
