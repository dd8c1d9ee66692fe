// The contract of `src/store/port.ts`, one suite for every implementation.

import { test } from 'node:test';
import type { News } from '../../src/store/news.ts';
import type { Outbox } from '../../src/store/outbox.ts';
import type { StorePort } from '../../src/store/port.ts';
import type { OnStore } from '../store/asking.ts';
import { changeConformance } from '../store/conformance_changes.ts';
import { newsConformance } from '../store/conformance_news.ts';
import { organizationConformance } from '../store/conformance_organizations.ts';
import { outboxConformance } from '../store/conformance_outbox.ts';
import { rowConformance } from '../store/conformance_rows.ts';

export type OpenStore = () => Promise<{
  readonly port: StorePort;
  readonly outbox: Outbox;
  readonly news: News;
  close(): Promise<void>;
}>;

type Whole = Awaited<ReturnType<OpenStore>>;

/** Runs the contract against the stores that `open` gives: a new, empty one at each call. */
export function storeConformance(name: string, open: OpenStore): void {
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

  outboxConformance(name, onWhole);
  newsConformance(name, onWhole);
  organizationConformance(name, on);
  changeConformance(name, on);
  rowConformance(name, on);
}
