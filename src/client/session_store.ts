// Starts sessions, and stores them in IndexedDB, which can store keys that are not extractable.

import type { Client } from './connect.ts';
import type { Session, SessionOptions } from './session.ts';
import { keyStamp, newKeyPair } from './stamps.ts';

type StoredSession = Pick<Session, 'organizationId' | 'expiresAtMs' | 'publicKey' | 'service'> & {
  /** Not extractable. */
  readonly privateKey: CryptoKey;
};

export async function start(client: Client, options: SessionOptions): Promise<Session> {
  const { seconds, store, service, ...others } = options;
  const { publicKey, privateKey } = await newKeyPair();
  const expiresAtMs = client.now() + seconds * 1000;
  const expirationSeconds = String(seconds);
  const outcome = await client.ask('stamp_login', { publicKey, expirationSeconds, ...others });
  if (outcome.outcome !== 'done') throw outcome.error;
  const { organizationId } = outcome.activity;
  const named = service === undefined ? {} : { service };
  const session = { organizationId, expiresAtMs, publicKey, privateKey, ...named };
  if (store !== undefined) await inStore(store, 'readwrite', (of) => of.put(session, key));
  return sessionOf(session);
}

export async function kept(store: string, nowMs: number): Promise<Session | undefined> {
  const session = (await inStore(store, 'readonly', (of) => of.get(key))) as
    | StoredSession
    | undefined;
  return session !== undefined && session.expiresAtMs > nowMs ? sessionOf(session) : undefined;
}

export async function forget(store: string): Promise<void> {
  await inStore(store, 'readwrite', (of) => of.delete(key));
}

const sessionOf = ({ privateKey, publicKey, ...others }: StoredSession): Session => ({
  ...others,
  ...keyStamp(privateKey, publicKey),
});

/** The members of IndexedDB (W3C) used here; the types of Node lack them. */
type Request = { result: unknown; error: unknown; onsuccess: unknown; onerror: unknown };
type Table = {
  put(value: StoredSession, key: string): Request;
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
): Promise<unknown> {
  const { indexedDB } = globalThis as unknown as { readonly indexedDB: Factory };
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => (opening.result as Database).createObjectStore(table);
  const database = (await resultOf(opening)) as Database;
  try {
    return await resultOf(use(database.transaction(table, mode).objectStore(table)));
  } finally {
    database.close();
  }
}

const resultOf = (request: Request): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
