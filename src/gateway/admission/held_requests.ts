// Holds the answers of callers who prefer to wait for changes (RFC 7240, `Prefer: wait=25`). A held request
// keeps only its connection and a few bytes, no place among the requests in progress, and nothing in the
// enclave. After a change, or at the end, the same bytes start again at the first step, so access is decided
// on the current state.

import { assert } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import { maximumTopics } from '../../store/reads/news.ts';
import type { Clock } from '../base/clock.ts';
import { createFairPool } from './fair_pool.ts';
import { OverloadedError } from './load_limiter.ts';
import type { Follower, News } from './news.ts';
import { RateLimitedError } from './rate_limit.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;

/** Maximum seconds for which an answer is held. */
const maximumWaitSeconds = 25;

export const heldLimits = {
  /** Held requests of all organizations, at most one for each topic of a database poll. */
  all: maximumTopics,
  organization: 64,
  /** Requests with larger bodies are answered immediately. */
  bodyBytes: 16 * 1024,
  /** Pause between two attempts of one request. It grows while the changes belong to other topics. */
  firstPauseMs: 100,
  lastPauseMs: 1_000,
} as const;

type WaitingCaller = {
  /** Values above 25 count as 25. */
  readonly waitSeconds: number;
  readonly bodyBytes: number;
  readonly source: string;
  /** Calls back once the caller has disconnected, perhaps immediately. */
  readonly onLeave: (left: () => void) => void;
};

/** An answer, and whether the request was held as the caller preferred. */
type WaitedAnswer = {
  readonly answer: Answer;
  readonly isHonored: boolean;
  /** Milliseconds for which the request was held. */
  readonly heldMs: number;
};

export type HeldRequests = {
  /** Repeats `ask` until a change, the end of the wait or a disconnection. Raises its errors. */
  answer(caller: WaitingCaller, ask: () => Promise<Answer>): Promise<WaitedAnswer>;
  /** Answers all held requests immediately. */
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

  /** Resolves after a change and the pause, at the end of the wait, or once the caller has disconnected. */
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
            // Many requests may wake at the same time. Requests without a place, and those above their
            // organization's limit, retry soon.
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

/** Counts the held requests in total, by organization and by source. */
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
    /** Takes a place and returns the function that releases it; undefined at a bound. */
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
