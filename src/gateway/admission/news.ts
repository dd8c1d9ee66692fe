// Notifies waiting requests of possible changes: immediately for commits of this process, and after a
// database poll for commits of other nodes. It may notify too often, but never misses a change.

import type { NewsTopic } from '../../core/base/news.ts';
import type { StoreChange } from '../../store/port.ts';
import type { News as Marks } from '../../store/reads/news.ts';
import type { Clock } from '../base/clock.ts';

/** A request that waits for changes of a topic. */
export type Follower = {
  /** Calls back once there may have been a change since the moment, perhaps before it returns. */
  next(since: number, notify: () => void): void;
  /** Stops all notifications. */
  end(): void;
};

export type News = {
  /** Returns the current moment. A query that starts now has not seen changes that are reported later. */
  moment(): number;
  /** Reports a committed change. */
  committed(change: Pick<StoreChange, 'activities' | 'events'>): void;
  follow(topic: NewsTopic): Follower;
  /** Stops polling the database. */
  close(): void;
};

type NewsOptions = {
  readonly clock: Clock;
  /** Polls the database; only if other nodes write to it. */
  readonly shared?: { readonly marks: Marks['marks']; readonly pollMs: number } | undefined;
};

/** Maximum topics with a remembered change. Other topics are assumed to have changed. */
const maximumRemembered = 4_096;

type Followed = {
  readonly topic: NewsTopic;
  readonly followers: Set<{ notify: (() => void) | undefined }>;
  /** Undefined before the first poll. */
  mark: string | undefined;
};

export function createNews({ clock, shared }: NewsOptions): News {
  const followed = new Map<string, Followed>();
  /** The moment of the last change by topic, oldest first. */
  const lastNews = new Map<string, number>();
  /** Topics that are not in the map have not changed after this moment. */
  let forgottenUntil = 0;
  let moment = 0;
  /** The last topic of the map. */
  let newest: string | undefined;
  let cancelPoll: (() => void) | undefined;
  let isClosed = false;

  function notify(key: string): void {
    moment += 1;
    if (key !== newest) lastNews.delete(key);
    lastNews.set(key, moment);
    newest = key;
    const [oldest] = lastNews.size > maximumRemembered ? lastNews : [];
    if (oldest !== undefined) {
      lastNews.delete(oldest[0]);
      forgottenUntil = oldest[1];
    }
    for (const follower of followed.get(key)?.followers ?? []) {
      const { notify } = follower;
      follower.notify = undefined;
      notify?.();
    }
  }

  /** Polls while a topic is followed. The first mark of a topic counts as a change. */
  function pollLater(): void {
    if (shared === undefined || cancelPoll !== undefined || isClosed || followed.size === 0) return;
    cancelPoll = clock.after(shared.pollMs, () => {
      const looked = [...followed.values()];
      shared
        .marks(looked.map(({ topic }) => topic))
        .then((marks) => {
          for (const [i, topic] of looked.entries()) compare(topic, marks[i] ?? '');
        })
        // The database is unavailable; the next poll retries.
        .catch(() => undefined)
        .finally(() => {
          cancelPoll = undefined;
          pollLater();
        });
    });
  }

  function compare(known: Followed, mark: string): void {
    if (known.mark === mark) return;
    known.mark = mark;
    notify(keyOf(known.topic));
  }

  return {
    moment: () => moment,
    committed: (change) => {
      for (const key of keysOf(change)) notify(key);
    },
    follow: (topic) => {
      const key = keyOf(topic);
      const entry = followed.getOrInsertComputed(key, () => ({
        topic,
        followers: new Set(),
        mark: undefined,
      }));
      const follower: { notify: (() => void) | undefined } = { notify: undefined };
      entry.followers.add(follower);
      pollLater();
      return {
        next: (since, notify) => {
          if ((lastNews.get(key) ?? forgottenUntil) > since) notify();
          else follower.notify = notify;
        },
        end: () => {
          follower.notify = undefined;
          entry.followers.delete(follower);
          if (entry.followers.size === 0 && followed.get(key) === entry) followed.delete(key);
        },
      };
    },
    close: () => {
      isClosed = true;
      cancelPoll?.();
    },
  };
}

/** Returns the topics of a change. Most changes are one activity without events. */
function keysOf({
  activities,
  events,
}: Pick<StoreChange, 'activities' | 'events'>): Iterable<string> {
  const [first, second] = activities;
  if (first !== undefined && second === undefined && events.length === 0) {
    return [keyOf({ kind: 'activities', id: first.organizationId })];
  }
  return new Set([
    ...activities.map(({ organizationId: id }) => keyOf({ kind: 'activities', id })),
    ...events.map(({ endpointId: id }) => keyOf({ kind: 'deliveries', id })),
  ]);
}

function keyOf({ kind, id }: NewsTopic): string {
  return `${kind}/${id}`;
}
