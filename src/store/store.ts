// What a store gives besides the port, whatever database is behind it.

import type { News } from './news.ts';
import type { Outbox } from './outbox.ts';
import type { StorePort } from './port.ts';

export type Health = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Lines for the operator; never given an address of a database. */
export type StoreLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Readonly<Record<string, string | number>>,
) => void;

export type Store = {
  readonly port: StorePort;
  readonly outbox: Outbox;
  readonly news: News;
  /** Refuses new calls with `draining`, finishes the commits that wait, then closes the database. */
  close(): Promise<void>;
  /** Whether the database works, and if not why, in words that anybody may read. */
  healthy(): Health;
};

/** A change could not be written, though the database is sound. */
export class ChangeAtFault extends Error {
  constructor(cause: unknown) {
    super('the change could not be written', { cause });
  }
}
