// Bounds what requests take at one time: the work under way and the bytes held for it, in all and for
// one source. A request counts with the bytes that have arrived, never with those it announces, and it
// takes a place in the work only once it is complete. So an idle sender costs a connection, nothing else.

import { ServiceError } from '../core/errors/errors.ts';

export type LoadLimits = {
  /** Requests that the enclave works on or has queued. */
  readonly inFlightMaximum: number;
  /** Bytes of request bodies and of answers that clients have not taken yet. */
  readonly bodyMemoryBytes: number;
  /** How much of each bound one source may use. */
  readonly sourceSharePercent: number;
  /** A request that would probably wait longer is refused at once. */
  readonly requestDeadlineMs: number;
};

/** One request under way. */
export type Work = {
  /** Names the request to the enclave; never used twice. */
  readonly id: number;
  /** Frees the place of the request, once. */
  readonly end: () => void;
};

/** The bytes that one request holds. */
export type ByteAccount = {
  /** Adds bytes that have arrived. Raises OverloadedError if they exceed a bound. */
  hold(bytes: number): void;
  /** Replaces the bytes of the body by those of the answer, which is sent in any case. */
  holdAnswer(answerBytes: number): void;
  /** Frees all bytes. */
  close(): void;
};

export type LoadLimiter = {
  /** Returns the refusal if a request of this source could not begin now. */
  refusal(source: string): OverloadedError | undefined;
  /** Begins a request. Raises OverloadedError if it exceeds a bound. */
  begin(source: string): Work;
  openAccount(source: string): ByteAccount;
};

/** The service has too much to do; tells the client when to try again. */
export class OverloadedError extends ServiceError {
  readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super('overloaded');
    this.name = 'OverloadedError';
    this.retryAfterSeconds = retryAfterSecondsOf(waitMs);
  }
}

const maximumRetryAfterSeconds = 30;

function retryAfterSecondsOf(waitMs: number): number {
  return Math.min(maximumRetryAfterSeconds, Math.max(1, Math.ceil(waitMs / 1000)));
}

/** One error for each number of seconds: to record a stack costs more than to answer. */
const refusals = new Map<number, OverloadedError>();
function overloadedFor(waitMs: number): OverloadedError {
  const seconds = retryAfterSecondsOf(waitMs);
  const refusal = refusals.get(seconds) ?? new OverloadedError(waitMs);
  refusals.set(seconds, refusal);
  return refusal;
}

/** Creates the limiter of one process. `clock` never goes back: milliseconds since any moment. */
export function createLoadLimiter(limits: LoadLimits, clock: () => number): LoadLimiter {
  const all: Load = { requests: 0, bytes: 0 };
  const sources = new Map<string, Load>();
  const shareOf = (maximum: number) => Math.ceil((maximum * limits.sourceSharePercent) / 100);
  const pace = createPace(clock, limits.requestDeadlineMs);
  let lastId = 0;

  /** Adds to the load of a source and of all; a source without load is forgotten. */
  function add(source: string, requests: number, bytes: number): void {
    const own = sources.get(source) ?? { requests: 0, bytes: 0 };
    for (const load of [all, own]) {
      load.requests += requests;
      load.bytes += bytes;
    }
    if (own.requests === 0 && own.bytes === 0) sources.delete(source);
    else sources.set(source, own);
  }

  function refusal(source: string): OverloadedError | undefined {
    const own = sources.get(source) ?? noLoad;
    // The enclave serves sources in turn, so a source waits for its own requests above all.
    const ahead = Math.min(all.requests, own.requests * sources.size);
    const waitMs = pace.msEach() * ahead;
    const isFull =
      all.requests >= limits.inFlightMaximum ||
      own.requests >= shareOf(limits.inFlightMaximum) ||
      all.bytes >= limits.bodyMemoryBytes ||
      own.bytes >= shareOf(limits.bodyMemoryBytes);
    const isRefused = isFull || waitMs >= limits.requestDeadlineMs;
    return isRefused ? overloadedFor(waitMs) : undefined;
  }

  return {
    refusal,
    begin: (source) => {
      const refused = refusal(source);
      if (refused !== undefined) throw refused;
      if (all.requests === 0) pace.wake();
      add(source, 1, 0);
      lastId += 1;
      let isUnderWay = true;
      return {
        id: lastId,
        end: () => {
          if (!isUnderWay) return;
          isUnderWay = false;
          add(source, -1, 0);
          pace.finished();
        },
      };
    },
    openAccount: (source) => {
      let held = 0;
      const change = (bytes: number) => {
        held += bytes;
        add(source, 0, bytes);
      };
      return {
        hold: (bytes) => {
          const own = sources.get(source) ?? noLoad;
          const fits =
            all.bytes + bytes <= limits.bodyMemoryBytes &&
            own.bytes + bytes <= shareOf(limits.bodyMemoryBytes);
          if (!fits) throw new OverloadedError(0);
          change(bytes);
        },
        holdAnswer: (answerBytes) => change(answerBytes - held),
        close: () => change(-held),
      };
    },
  };
}

type Load = { requests: number; bytes: number };
const noLoad: Readonly<Load> = { requests: 0, bytes: 0 };

/** How much one more request changes the average: about the last hundred count. */
const paceWeight = 1 / 64;

/** Measures the time between two ends of requests while there is work; a stall counts up to a bound. */
function createPace(clock: () => number, stallMaximumMs: number) {
  let averageMs = 0;
  let lastMs = 0;
  return {
    /** Work begins after there was none. */
    wake: () => {
      lastMs = clock();
    },
    finished: () => {
      const nowMs = clock();
      const sinceMs = Math.min(nowMs - lastMs, stallMaximumMs);
      averageMs += (sinceMs - averageMs) * paceWeight;
      lastMs = nowMs;
    },
    msEach: () => averageMs,
  };
}
