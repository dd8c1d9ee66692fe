// Holds the answers of callers who prefer to wait for news (RFC 7240, `Prefer: wait=25`). A held request
// keeps its connection and its few bytes, no place among the requests under way, and nothing in the enclave.
// At news, and at the end, the same bytes start again at the first step. So access is decided anew on the
// current state.

import { assert } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import { maximumTopics } from '../../store/reads/news.ts';
import type { Clock } from '../base/clock.ts';
import { createFairPool } from './fair_pool.ts';
import { OverloadedError } from './load_limiter.ts';
import type { Follower, News } from './news.ts';
import { RateLimitedError } from './rate_limit.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;

/** Seconds that an answer is held at most. */
const maximumWaitSeconds = 25;

export const heldLimits = {
  /** Topics of all organizations; a look at the database takes as many. */
  all: maximumTopics,
  organization: 64,
  /** Larger bodies are answered at once. */
  bodyBytes: 16 * 1024,
  /** Between two questions of one request: it grows while the news are for others. */
  firstPauseMs: 100,
  lastPauseMs: 1_000,
} as const;

type WaitingCaller = {
  /** 25 at most count. */
  readonly waitSeconds: number;
  readonly bodyBytes: number;
  readonly source: string;
  /** Calls back once the caller has left; perhaps at once. */
  readonly onLeave: (left: () => void) => void;
};

/** An answer, and whether the caller's preference was kept. */
type WaitedAnswer = {
  readonly answer: Answer;
  readonly isHonored: boolean;
  /** Milliseconds for which the request was held. */
  readonly heldMs: number;
};

export type HeldRequests = {
  /** Asks until there is news, the time is over or the caller has left. Raises the errors of `ask`. */
  answer(caller: WaitingCaller, ask: () => Promise<Answer>): Promise<WaitedAnswer>;
  /** Answers all held requests now. */
  close(): void;
};

export function createHeldRequests({
  news,
  clock,
  sourceSharePercent,
  heldChanged,
}: {
  readonly news: News;
  readonly clock: Clock;
  readonly sourceSharePercent: number;
  readonly heldChanged: (count: number) => void;
}): HeldRequests {
  const ends = new Set<() => void>();
  const places = createPlaces(sourceSharePercent, heldChanged);
  let isClosed = false;

  /** Resolves at news, but not before the pause is over; at the end, or when the caller has left. */
  async function untilNews(
    follower: Follower,
    wait: { readonly since: number; readonly untilMs: number; readonly notBeforeMs: number },
    ended: Promise<void>,
  ): Promise<void> {
    const ready = Promise.withResolvers<void>();
    const timers = [clock.after(wait.untilMs - clock.now(), ready.resolve)];
    follower.next(wait.since, () => {
      const pauseMs = wait.notBeforeMs - clock.now();
      if (pauseMs <= 0) ready.resolve();
      else timers.push(clock.after(pauseMs, ready.resolve));
    });
    await Promise.race([ready.promise, ended]);
    for (const cancel of timers) cancel();
  }

  return {
    answer: async (caller, ask) => {
      const end = Promise.withResolvers<void>();
      let isEnded = isClosed;
      const endNow = (): void => {
        isEnded = true;
        end.resolve();
      };
      caller.onLeave(endNow);
      ends.add(endNow);
      const untilMs = clock.now() + Math.min(maximumWaitSeconds, caller.waitSeconds) * 1000;
      let follower: Follower | undefined;
      let leave: (() => void) | undefined;
      let pauseMs = 0;
      let heldMs = 0;
      let since = 0;
      try {
        for (;;) {
          const askedAtMs = clock.now();
          const isLast = isEnded || askedAtMs >= untilMs;
          const moment = news.moment();
          const answer = await ask().catch((error: unknown) => {
            // Many requests may wake at once. Those without a place, and those whose organization used up its
            // share, retry soon.
            const isTooMuch = error instanceof OverloadedError || error instanceof RateLimitedError;
            if (follower === undefined || isLast || !isTooMuch) throw error;
          });
          if (answer !== undefined) {
            const { news: found, organizationId = '' } = answer;
            if (found === undefined) return { answer, isHonored: false, heldMs };
            if (found.hasNews || isLast) return { answer, isHonored: true, heldMs };
            leave ??= places.enter(organizationId, caller);
            if (leave === undefined) return { answer, isHonored: false, heldMs };
            follower ??= news.follow(found);
            since = moment;
          }
          assert(follower !== undefined, 'who is held follows a topic');
          const heldAtMs = clock.now();
          const notBeforeMs = askedAtMs + pauseMs;
          await untilNews(follower, { since, untilMs, notBeforeMs }, end.promise);
          heldMs += clock.now() - heldAtMs;
          pauseMs = Math.min(heldLimits.lastPauseMs, pauseMs * 2 || heldLimits.firstPauseMs);
        }
      } finally {
        ends.delete(endNow);
        follower?.end();
        leave?.();
      }
    },
    close: () => {
      isClosed = true;
      for (const endNow of ends) endNow();
    },
  };
}

/** Counts the held requests, in all, of each organization and of each source. */
function createPlaces(sharePercent: number, heldChanged: (count: number) => void) {
  const sources = createFairPool({ maximum: heldLimits.all, sharePercent });
  const organizations = new Map<string, number>();

  function change(organizationId: string, source: string, by: number): void {
    const count = (organizations.get(organizationId) ?? 0) + by;
    if (count === 0) organizations.delete(organizationId);
    else organizations.set(organizationId, count);
    sources.add(source, by);
    heldChanged(sources.held());
  }

  return {
    /** Takes a place and returns what frees it; undefined where a bound is reached. */
    enter: (organizationId: string, { bodyBytes, source }: WaitingCaller) => {
      const isFull =
        (organizations.get(organizationId) ?? 0) >= heldLimits.organization ||
        !sources.fits(source, 1);
      if (isFull || bodyBytes > heldLimits.bodyBytes) return undefined;
      change(organizationId, source, 1);
      return () => change(organizationId, source, -1);
    },
  };
}
