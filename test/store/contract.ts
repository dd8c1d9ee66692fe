// The contract of `src/store/port.ts`, one suite for every implementation.

import { test } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import type { Archive } from '../../src/store/reads/archive.ts';
import type { AuditStream } from '../../src/store/reads/audit_stream.ts';
import type { News } from '../../src/store/reads/news.ts';
import type { Outbox } from '../../src/store/reads/outbox.ts';
import type { LogQueue } from '../../src/store/reads/waiting_for_log.ts';
import type { Store } from '../../src/store/store.ts';
import type { OnStore } from './asking.ts';
import { archiveContract } from './contract_archive.ts';
import { changeContract } from './contract_changes.ts';
import { logContract } from './contract_log.ts';
import { newsContract } from './contract_news.ts';
import { organizationContract } from './contract_organizations.ts';
import { outboxContract } from './contract_outbox.ts';
import { rowContract } from './contract_rows.ts';

export type OpenStore = () => Promise<{
  readonly port: StorePort;
  readonly outbox: Outbox;
  readonly audit: AuditStream;
  readonly archive: Archive;
  readonly news: News;
  readonly log: LogQueue;
  readonly vitals: Store['vitals'];
  close(): Promise<void>;
}>;

type Whole = Awaited<ReturnType<OpenStore>>;

/** Runs the contract on the stores that `open` returns: a new, empty one at each call. */
export function storeContract(name: string, open: OpenStore): void {
  const on: OnStore = (title, run) =>
    test(title, async () => {
      const store = await open();
      try {
        await run(store.port);
      } finally {
        await store.close();
      }
    });

  const onWhole = (title: string, run: (store: Whole) => Promise<void>) =>
    test(title, async () => {
      const store = await open();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    });

  outboxContract(name, onWhole);
  newsContract(name, onWhole);
  archiveContract(name, onWhole);
  logContract(name, onWhole);
  organizationContract(name, on);
  changeContract(name, on);
  rowContract(name, on);
}
