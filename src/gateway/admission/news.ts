// Notifies waiting requests of possible news: at once of commits of this process, and after a look at the
// database of other nodes' commits. It may notify too often, but never too seldom.

import type { NewsTopic } from '../../core/base/news.ts';
import type { StoreChange } from '../../store/port.ts';
import type { News as Marks } from '../../store/reads/news.ts';
import type { Clock } from '../base/clock.ts';

/** One who waits for news of a topic. */
export type Follower = {
  /** Calls back once, when there may be news since the moment; perhaps before it returns. */
  next(since: number, notify: () => void): void;
  /** Stops all notifications. */
  end(): void;
};

export type News = {
  /** Returns the present moment. A change reported later was not seen by a query that starts now. */
  moment(): number;
  /** Reports a committed change. */
  committed(change: Pick<StoreChange, 'activities' | 'events'>): void;
  follow(topic: NewsTopic): Follower;
  /** Looks at the database no more. */
  close(): void;
};

type NewsOptions = {
  readonly clock: Clock;
  /** Present if other nodes write to the same database. */
  readonly shared?: { readonly marks: Marks['marks']; readonly pollMs: number } | undefined;
};

/** Topics whose last news are remembered; of the others news are supposed. */
const maximumRemembered = 4_096;

type Followed = {
  readonly topic: NewsTopic;
  readonly followers: Set<{ notify: (() => void) | undefined }>;
  /** Undefined until the first look. */
  mark: string | undefined;
};

export function createNews({ clock, shared }: NewsOptions): News {
  const followed = new Map<string, Followed>();
  /** The moment of the last news by topic, oldest first. */
  const lastNews = new Map<string, number>();
  /** A topic that is not in the map had no news after this moment. */
  let forgottenUntil = 0;
  let moment = 0;
  /** The topic at the end of the map. */
  let newest: string | undefined;
  let cancelPoll: (() => void) | undefined;
  let isClosed = false;

  function tell(key: string): void {
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

  /** Polls while a topic is followed; the first mark of a topic counts as news. */
  function pollLater(): void {
    if (shared === undefined || cancelPoll !== undefined || isClosed || followed.size === 0) return;
    cancelPoll = clock.after(shared.pollMs, () => {
      const looked = [...followed.values()];
      shared
        .marks(looked.map(({ topic }) => topic))
        .then((marks) => {
          for (const [i, topic] of looked.entries()) compare(topic, marks[i] ?? '');
        })
        // The database is away: the next look is soon enough.
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
    tell(keyOf(known.topic));
  }

  return {
    moment: () => moment,
    committed: (change) => {
      for (const key of keysOf(change)) tell(key);
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
