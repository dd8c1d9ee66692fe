// Limits how many requests of strangers begin in one turn of the event loop, while many requests are refused.
// Without the limit, the gateway reads from a thousand connections in one turn and passes all requests to the
// enclave. A request of another user then waits behind them at each step.

import { createFairPool } from './fair_pool.ts';
import { createRecentCount } from './recent_count.ts';

/** Requests that begin immediately in each turn while no request waits. Their keys are not read. */
export const freePerTurn = 8;
/** Maximum waiting requests that begin in one turn of the event loop. */
export const waitingPerTurn = 16;
/** Maximum waiting requests. Each can hold 64 KiB that the gateway has read from its connection. */
export const maximumWaiting = 2_048;
/** Maximum deferred requests in progress. */
export const deferredUnderWay = 64;
/** Time after which a deferred request no longer counts, because it waits for another service. */
export const deferredHoldsMs = 100;
/** Recent refusals above which the keys of requests are read. */
export const manyRefusals = 32;

type LineRequest = {
  readonly source: string;
  /** Returns true if the key of the request is known and rarely rejected. */
  readonly isOfTrustedKey: () => boolean;
  readonly begin: () => void;
  /** Calls back once the request has ended, perhaps immediately. */
  readonly onceEnded: (ended: () => void) => void;
};

export type RequestLine = {
  /** Begins a request now, or in a later turn of the event loop. Returns false if too many requests wait. */
  enter(request: LineRequest): boolean;
  /** Counts a request that the enclave rejected. */
  requestRefused(): void;
};

type LinePorts = {
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** Calls back after the event loop has read its connections. */
  readonly inNextTurn: (callback: () => void) => void;
  /** Calls back after this many milliseconds. */
  readonly after: (ms: number, callback: () => void) => void;
  /** The percentage of waiting requests that one source may have, see `fair_pool.ts`. */
  readonly sharePercent: number;
  /** Called for each request that waits. */
  readonly deferred: () => void;
};

/** Creates the line of one server. */
export function createRequestLine(ports: LinePorts): RequestLine {
  const { clock, inNextTurn, sharePercent, deferred } = ports;
  const waiting = createFairPool({ maximum: maximumWaiting, sharePercent });
  const lanes = createLanes();
  const places = createPlaces(ports, awaitTurn);
  const refusals = createRecentCount(clock);
  let begunInTurn = 0;
  let isTurnAwaited = false;

  function awaitTurn(): void {
    if (isTurnAwaited) return;
    isTurnAwaited = true;
    inNextTurn(turn);
  }

  function turn(): void {
    isTurnAwaited = false;
    begunInTurn = 0;
    for (let i = Math.min(waitingPerTurn, places.free()); i > 0; i -= 1) {
      const next = lanes.takeNext();
      if (next === undefined) return;
      waiting.add(next.source, -1);
      places.take(next);
      next.begin();
    }
    if (lanes.count() > 0 && places.free() > 0) awaitTurn();
  }

  return {
    enter: (request) => {
      const isFree = begunInTurn < freePerTurn && lanes.count() === 0;
      if (isFree || refusals.recent() < manyRefusals || request.isOfTrustedKey()) {
        begunInTurn += 1;
        awaitTurn();
        request.begin();
        return true;
      }
      if (!waiting.fits(request.source, 1)) return false;
      deferred();
      waiting.add(request.source, 1);
      lanes.add(request);
      awaitTurn();
      return true;
    },
    requestRefused: refusals.add,
  };
}

/**
 * Places of deferred requests. Without this bound, the answers to hundreds of them would leave in one turn.
 * `freed` is called when a place becomes free after all were taken.
 */
function createPlaces({ clock, after }: Pick<LinePorts, 'clock' | 'after'>, freed: () => void) {
  /** The latest time at which each place becomes free, in order. */
  const takenUntilMs = new Map<LineRequest, number>();
  let isTimeAwaited = false;

  function release(request: LineRequest): void {
    const wereAllTaken = takenUntilMs.size >= deferredUnderWay;
    if (takenUntilMs.delete(request) && wereAllTaken) freed();
  }

  /** Frees places after their time, and returns the time of the next one. */
  function freeLate(): number | undefined {
    for (const [request, untilMs] of takenUntilMs) {
      if (untilMs > clock()) return untilMs;
      release(request);
    }
    return undefined;
  }

  function awaitTime(): void {
    if (isTimeAwaited) return;
    const untilMs = freeLate();
    if (untilMs === undefined) return;
    isTimeAwaited = true;
    after(untilMs - clock(), () => {
      isTimeAwaited = false;
      if (takenUntilMs.size >= deferredUnderWay) awaitTime();
    });
  }

  return {
    free: () => deferredUnderWay - takenUntilMs.size,
    take: (request: LineRequest): void => {
      takenUntilMs.set(request, clock() + deferredHoldsMs);
      request.onceEnded(() => release(request));
      if (takenUntilMs.size >= deferredUnderWay) awaitTime();
    },
  };
}

/** Waiting requests, one lane for each source; sources take turns. */
function createLanes() {
  const lanes = new Map<string, LineRequest[]>();
  let count = 0;
  return {
    count: () => count,
    add: (request: LineRequest): void => {
      const lane = lanes.get(request.source) ?? [];
      lanes.set(request.source, lane);
      lane.push(request);
      count += 1;
    },
    takeNext: (): LineRequest | undefined => {
      const [first] = lanes;
      if (first === undefined) return undefined;
      const [source, lane] = first;
      const next = lane.shift();
      lanes.delete(source);
      if (lane.length > 0) lanes.set(source, lane);
      count -= 1;
      return next;
    },
  };
}
