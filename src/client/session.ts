import type { KeyStamp } from './stamps.ts';

/** A session: a key that stamps requests until it expires. */
export type Session = KeyStamp & {
  /** The organization of the session, which may be a sub-organization of the requested one. */
  readonly organizationId: string;
  /** Expiry in milliseconds since 1970, by the clock of this machine. */
  readonly expiresAtMs: number;
  /** The name of the service, if the page gave one. */
  readonly service?: string;
};

export type SessionOptions = {
  /** Lifetime in seconds. */
  readonly seconds: number;
  /**
   * A name of the service, stored with the session. A page that may later connect to another service compares
   * it before it uses the session.
   */
  readonly service?: string;
  /** Name of the IndexedDB database that stores the session. Default: the session ends with the page. */
  readonly store?: string;
  readonly sessionProfileId?: string;
  /** True to end the other sessions of this user. */
  readonly invalidateExisting?: boolean;
};
