// A session: a key that stamps requests until it expires.

import type { KeyStamp } from './stamps.ts';

/** A session: stamps requests until it expires. */
export type Session = KeyStamp & {
  /** The organization of the session, which may be a child of the named parent. */
  readonly organizationId: string;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAtMs: number;
  /** The service for which the session was started, as the page named it. Optional. */
  readonly service?: string;
};

export type SessionOptions = {
  /** Lifetime in seconds. */
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
