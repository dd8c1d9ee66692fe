// Bounds the load of requests: the work in progress and its memory, in total and for one source. A request
// counts with the bytes that have arrived, never with its announced length, and it takes a place only once it
// is complete. So an idle sender costs only a connection.

import { ServiceError } from '../../core/errors/errors.ts';
import { createFairPool, type FairPool } from './fair_pool.ts';
import { createPace, type ThreadUse } from './pace.ts';

export type LoadLimits = {
  /** Maximum requests in the enclave, running or queued. */
  readonly inFlightMaximum: number;
  /** Maximum bytes of request bodies and of answers that clients have not read yet. */
  readonly bodyMemoryBytes: number;
  /** The largest body of a request. */
  readonly bodyLimitBytes: number;
  /** The percentage that one source may use of each bound, after subtracting the use of other sources. */
  readonly sourceSharePercent: number;
  /** A request that would probably wait longer is rejected immediately. */
  readonly requestDeadlineMs: number;
};

/** A request in progress. */
export type Work = {
  /** Identifies the request to the enclave; never reused. */
  readonly id: number;
  /** Releases the place of the request once. */
  readonly end: () => void;
};

/** The bytes that one request holds. */
export type ByteAccount = {
  /** From now on, bytes above a small body count against the memory for unknown keys. */
  takeFromStrangers(): void;
  /** Adds bytes that have arrived. Raises OverloadedError if they exceed a bound. */
  hold(bytes: number): void;
  /**
   * Replaces the bytes of the body by those of the answer, which is always sent. `drop` disconnects the
   * client if unread answers exceed the memory.
   */
  holdAnswer(answerBytes: number, drop: () => void): void;
  /** Releases all bytes. */
  close(): void;
};

export type LoadLimiter = {
  /** Returns the error if a request of this source could not begin now. */
  refusal(source: string): OverloadedError | undefined;
  /** Begins a request. Raises OverloadedError if it exceeds a bound. */
  begin(source: string): Work;
  openAccount(source: string): ByteAccount;
  /** Records how long the thread of the enclave has been busy so far, in milliseconds. */
  enclaveUsed(usedMs: number): void;
};

/** The reason for a refusal: the label of a metric. */
type OverloadReason = 'places' | 'line' | 'memory' | 'unknown_keys' | 'wait' | 'connections';

/** Raised when the service is overloaded. The response asks the client to try again later. */
export class OverloadedError extends ServiceError {
  readonly retryAfterSeconds: number;
  readonly reason: OverloadReason;

  constructor(waitMs: number, reason: OverloadReason) {
    super('overloaded');
    this.name = 'OverloadedError';
    this.retryAfterSeconds = retryAfterSecondsOf(waitMs);
    this.reason = reason;
  }
}

const maximumRetryAfterSeconds = 30;

function retryAfterSecondsOf(waitMs: number): number {
  return Math.min(maximumRetryAfterSeconds, Math.max(1, Math.ceil(waitMs / 1000)));
}

/**
 * Reuses one error for each reason and number of seconds, because recording a stack costs more than the
 * response.
 */
const refusals = new Map<string, OverloadedError>();
function overloadedFor(waitMs: number, reason: OverloadReason): OverloadedError {
  const name = `${reason} ${retryAfterSecondsOf(waitMs)}`;
  const refusal = refusals.get(name) ?? new OverloadedError(waitMs, reason);
  refusals.set(name, refusal);
  return refusal;
}

/** Body size that a source without other requests may always begin. */
export const smallBodyBytes = 8 * 1024;
/** Below this number of requests in progress, a source is never rejected because of the estimated wait. */
export const requestsBelowEstimate = 16;
/** Divisor of the body memory, for the pool of large bodies by unknown keys. */
const strangersPart = 16;
/**
 * Divisor of the places, for the reserve of sources without requests in progress once all other places are
 * taken.
 */
const reservedPart = 8;

/** Returns the maximum number of requests in progress, including the reserve. */
export function placesWithReserve(inFlightMaximum: number): number {
  return inFlightMaximum + reservedPlaces(inFlightMaximum);
}
const reservedPlaces = (maximum: number): number => Math.ceil(maximum / reservedPart);

/** The dependencies of the limiter. */
type LoadPorts = {
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  /** The thread use of this process for requests. */
  readonly uses: readonly ThreadUse[];
  /**
   * Reports that a client was disconnected before it read an answer, because other sources needed the memory.
   */
  readonly answerDropped: () => void;
};

/** Creates the limiter of a process. */
export function createLoadLimiter(
  limits: LoadLimits,
  { clock, uses, answerDropped }: LoadPorts,
): LoadLimiter {
  const { inFlightMaximum, bodyMemoryBytes, bodyLimitBytes, sourceSharePercent } = limits;
  const places = createFairPool({
    maximum: inFlightMaximum,
    sharePercent: sourceSharePercent,
    alwaysEach: 1,
    reserve: reservedPlaces(inFlightMaximum),
  });
  const memory = createFairPool({
    maximum: bodyMemoryBytes,
    sharePercent: sourceSharePercent,
    alwaysEach: smallBodyBytes,
  });
  const strangers = createFairPool({
    // The pool fits two of the largest bodies under every configuration.
    maximum: Math.max(bodyMemoryBytes / strangersPart, 2 * bodyLimitBytes),
    sharePercent: sourceSharePercent,
  });
  let enclaveUsedMs = 0;
  const pace = createPace(clock, [...uses, () => enclaveUsedMs], limits.requestDeadlineMs);
  const untaken = createUntakenAnswers(memory, bodyMemoryBytes, answerDropped);
  let lastId = 0;

  function refusal(source: string): OverloadedError | undefined {
    const own = places.heldBy(source);
    // The enclave serves sources in turn, so a source waits mostly for its own requests.
    const ahead = Math.min(places.held(), own * places.sources());
    const waitMs = pace.msEach() * ahead;
    if (!places.fits(source, 1)) return overloadedFor(waitMs, 'places');
    if (!memory.fits(source, 1)) return overloadedFor(waitMs, 'memory');
    const isLate = own >= requestsBelowEstimate && waitMs >= limits.requestDeadlineMs;
    return isLate ? overloadedFor(waitMs, 'wait') : undefined;
  }

  return {
    refusal,
    begin: (source) => {
      const refused = refusal(source);
      if (refused !== undefined) throw refused;
      places.add(source, 1);
      lastId += 1;
      let isUnderWay = true;
      return {
        id: lastId,
        end: () => {
          if (!isUnderWay) return;
          isUnderWay = false;
          places.add(source, -1);
          pace.finished();
        },
      };
    },
    openAccount: (source) => openAccount(source, memory, strangers, untaken),
    enclaveUsed: (usedMs) => {
      enclaveUsedMs = usedMs;
    },
  };
}

function openAccount(
  source: string,
  memory: FairPool,
  strangers: FairPool,
  untaken: UntakenAnswers,
): ByteAccount {
  let held = 0;
  let heldOfStrangers = 0;
  let isOfStranger = false;
  let answer: UntakenAnswer | undefined;

  const freeBody = (): void => {
    if (held > 0) memory.add(source, -held);
    if (heldOfStrangers > 0) strangers.add(source, -heldOfStrangers);
    held = 0;
    heldOfStrangers = 0;
  };
  return {
    takeFromStrangers: () => {
      isOfStranger = true;
    },
    hold: (bytes) => {
      const small = isOfStranger ? Math.min(bytes, smallBodyBytes - held) : bytes;
      const large = bytes - small;
      if (small > 0 && !memory.fits(source, small)) throw overloadedFor(0, 'memory');
      if (large > 0 && !strangers.fits(source, large)) throw overloadedFor(0, 'unknown_keys');
      memory.add(source, small);
      held += small;
      if (large > 0) strangers.add(source, large);
      heldOfStrangers += large;
    },
    holdAnswer: (answerBytes, drop) => {
      freeBody();
      if (answerBytes === 0) return;
      held = answerBytes;
      memory.add(source, answerBytes);
      if (answerBytes <= smallBodyBytes) return;
      answer = { source, drop, free: freeBody };
      untaken.add(answer);
    },
    close: () => {
      freeBody();
      if (answer !== undefined) untaken.end(answer);
      answer = undefined;
    },
  };
}

type UntakenAnswer = {
  readonly source: string;
  readonly drop: () => void;
  readonly free: () => void;
};
type UntakenAnswers = { add(answer: UntakenAnswer): void; end(answer: UntakenAnswer): void };

/**
 * Tracks answers that clients have not read yet. A new answer is always sent, so earlier answers make room.
 * The oldest answer of a source above its share is dropped first, or else the oldest answer of the source
 * that holds the most.
 */
function createUntakenAnswers(
  memory: FairPool,
  maximumBytes: number,
  dropped: () => void,
): UntakenAnswers {
  const bySource = new Map<string, Set<UntakenAnswer>>();

  function end(answer: UntakenAnswer): void {
    const answers = bySource.get(answer.source);
    answers?.delete(answer);
    if (answers?.size === 0) bySource.delete(answer.source);
  }

  function makeRoom(newest: UntakenAnswer): void {
    for (;;) {
      const isOwn = memory.heldBy(newest.source) > memory.shareMaximum;
      if (!isOwn && memory.held() <= maximumBytes) return;
      const source = isOwn ? newest.source : memory.largest();
      const [oldest] = bySource.get(source ?? '') ?? [];
      if (oldest === undefined || oldest === newest) return;
      end(oldest);
      oldest.free();
      dropped();
      oldest.drop();
    }
  }

  return {
    add: (answer) => {
      const answers = bySource.get(answer.source) ?? new Set();
      bySource.set(answer.source, answers.add(answer));
      makeRoom(answer);
    },
    end,
  };
}
