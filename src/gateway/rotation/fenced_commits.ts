// Rejects commits with a row of an earlier key epoch. A rejected commit is decided again, and its rows are
// sealed in the current epoch.

import { epochOf, keyEpochId } from '../../core/custody/sealed_form.ts';
import type { StoreChange, StorePort } from '../../store/port.ts';

/** The minimum key epoch of new rows. A rotation raises it. */
export type EpochFence = { least: number };

export function fencedCommits(store: StorePort, fence: EpochFence): StorePort {
  return {
    ...store,
    commit: async (change) =>
      fence.least > 0 && hasEarlierRow(change, fence.least) ? 'conflict' : store.commit(change),
  };
}

function hasEarlierRow(change: StoreChange, least: number): boolean {
  const { organizations, records, activities, events, deployment } = change;
  const bodies = [
    // The record of key epochs has its own sealing, and used tokens have no body.
    ...organizations.filter(isSealedByEpoch).map(({ head }) => head),
    ...[...records, ...activities, ...events].map(({ body }) => body),
    ...(deployment === undefined ? [] : [deployment]),
  ];
  return bodies.some((body) => epochOf(body) < least);
}

const isSealedByEpoch = ({ organizationId, head }: StoreChange['organizations'][number]): boolean =>
  organizationId !== keyEpochId && head.length > 0;
