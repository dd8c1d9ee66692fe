// Wraps the store to announce and count commits.

import type { CommitOutcome, StorePort } from '../../store/port.ts';
import type { News } from '../admission/news.ts';
import { type Metrics, noMetrics } from './metrics.ts';

/** Wraps the store. Notifies waiting requests of its commits, and deliverers of new events. */
export function announcingCommits(
  store: StorePort,
  { news, wake }: { readonly news: News; readonly wake: () => void },
): StorePort {
  return {
    ...store,
    commit: (change) =>
      store.commit(change).then((outcome) => {
        if (outcome !== 'committed') return outcome;
        news.committed(change);
        if (change.events.length > 0 || change.redeliveries.length > 0) wake();
        return outcome;
      }),
  };
}

/** Returns the store with counted and timed commits. */
export function counted(store: StorePort, metrics: Metrics): StorePort {
  if (metrics === noMetrics) return store;
  let underWay = 0;
  return {
    ...store,
    commit: async (change) => {
      underWay += 1;
      metrics.commitStarted(underWay);
      const startedAt = performance.now();
      let outcome: CommitOutcome | undefined;
      try {
        outcome = await store.commit(change);
        return outcome;
      } finally {
        underWay -= 1;
        metrics.commitEnded(outcome ?? 'failed', performance.now() - startedAt);
      }
    },
  };
}
