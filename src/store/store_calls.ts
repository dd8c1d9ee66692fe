// The calls of a store as a table: each is a list of steps and a kind of transaction. A database implements
// only the kinds of transactions.

import type { StorePort } from './port.ts';
import { archiveSteps } from './reads/archive.ts';
import { auditSteps } from './reads/audit_stream.ts';
import { newsMarks } from './reads/news.ts';
import { outboxSteps } from './reads/outbox.ts';
import { reads } from './reads/reads.ts';
import { logQueueSteps } from './reads/waiting_for_log.ts';
import type { Store } from './store.ts';
import type { Steps } from './tables/steps.ts';

/** Runs steps in a transaction of one kind. A retry creates the steps again. */
type Transact = <Result>(steps: () => Steps<Result>) => Promise<Result>;

export type Transactions = {
  /** Reads without a common snapshot. */
  readonly read: Transact;
  /** Reads in one snapshot. */
  readonly readSnapshot: Transact;
  /** Writes to the outbox. A loss of power may undo the whole transaction. */
  readonly writeOutbox: Transact;
  /** Writes rows, which are durable when the call resolves. */
  readonly writeDurably: Transact;
};

type StoreCalls = Pick<Store, 'outbox' | 'audit' | 'archive' | 'news' | 'log'> & {
  readonly port: Omit<StorePort, 'organization' | 'commit'>;
};

/** Returns the calls that are the same for every database. */
export function storeCalls({
  read,
  readSnapshot,
  writeOutbox,
  writeDurably,
}: Transactions): StoreCalls {
  return {
    port: {
      deployment: () => read(() => reads.deployment()),
      children: (request) => read(() => reads.children(request)),
      records: (request) => read(() => reads.records(request)),
      recordPage: (request) => read(() => reads.recordPage(request)),
      lookup: (request) => read(() => reads.lookup(request)),
      lookups: (request) => read(() => reads.lookups(request)),
      activity: (request) => read(() => reads.activity(request)),
      activityPage: (request) => readSnapshot(() => reads.activityPage(request)),
      deliveryPage: (request) => readSnapshot(() => reads.deliveryPage(request)),
    },
    log: {
      next: (request) => read(() => logQueueSteps.next(request)),
      done: (waiting) => writeOutbox(() => logQueueSteps.done(waiting)),
    },
    outbox: {
      claim: (request) => writeOutbox(() => outboxSteps.claim(request)),
      next: (request) => read(() => outboxSteps.next(request)),
      record: (request) => writeOutbox(() => outboxSteps.record(request)),
      pause: (request) => writeOutbox(() => outboxSteps.pause(request)),
      release: (request) => writeOutbox(() => outboxSteps.release(request)),
      drop: (request) => writeOutbox(() => outboxSteps.drop(request)),
      forget: (request) => writeOutbox(() => outboxSteps.forget(request)),
    },
    audit: {
      lease: (request) => writeOutbox(() => auditSteps.lease(request)),
      next: (request) => read(() => auditSteps.next(request)),
      reached: (request) => writeOutbox(() => auditSteps.reached(request)),
      delivered: (request) => writeOutbox(() => auditSteps.delivered(request)),
      release: (request) => writeOutbox(() => auditSteps.release(request)),
    },
    archive: {
      nextOrganization: (afterId) => read(() => archiveSteps.nextOrganization(afterId)),
      remove: (rows) => writeDurably(() => archiveSteps.remove(rows)),
      restore: (activities) => writeDurably(() => archiveSteps.restore(activities)),
    },
    news: { marks: (topics) => read(() => newsMarks(topics)) },
  };
}
