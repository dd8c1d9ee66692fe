// The parts of a store other than the port, for both databases.

import type { StorePort } from './port.ts';
import type { Archive } from './reads/archive.ts';
import type { AuditStream } from './reads/audit_stream.ts';
import type { News } from './reads/news.ts';
import type { Outbox } from './reads/outbox.ts';
import type { StoreVitals } from './reads/vitals.ts';
import type { LogQueue } from './reads/waiting_for_log.ts';
import type { StoreRotation } from './tables/rotation.ts';

export type Health = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The connections of one pool. */
export type PoolState = {
  readonly pool: string;
  /** Maximum number of open connections. */
  readonly maximum: number;
  readonly open: number;
  /** Open connections that are idle. */
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
};

/** Writes a line for the operator. Callers never pass the address of a database. */
export type StoreLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Readonly<Record<string, string | number>>,
) => void;

export type Store = {
  readonly port: StorePort;
  readonly outbox: Outbox;
  readonly audit: AuditStream;
  readonly news: News;
  readonly archive: Archive;
  /** The activities that the log does not have yet. */
  readonly log: LogQueue;
  /** Returns metrics of the store; raises `store_unavailable` if they cannot be read. */
  vitals(): Promise<StoreVitals>;
  /** Rejects new calls with `draining`, finishes the waiting commits, then closes the database. */
  close(): Promise<void>;
  /** Returns the health of the database, with a reason without secrets. */
  healthy(): Health;
  /** The store's part in a rotation of the root key. Absent in stores of tests. */
  readonly rotation?: StoreRotation;
  /** For a shared database: the current state of its pools. */
  readonly connections?: () => readonly PoolState[];
};

/** Called at the start of a batch of commits; the returned function is called at its end. */
export type BatchBegins = (changes: number) => () => void;

/** A change could not be written, though the database is sound. */
export class ChangeAtFault extends Error {
  constructor(cause: unknown) {
    super('the change could not be written', { cause });
  }
}
