// Shared parts of commands that run a service in the terminal.

import type { Terminal } from '../terminal/terminal.ts';

type EndOfService = {
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
  /** Resolves at the first SIGTERM or SIGINT, and stops the service. */
  stop(service: { stop(): Promise<void>; skipLameDuck(): boolean }): Promise<void>;
};

/**
 * Signals within this time count as one, because npm forwards signals that its whole process group already
 * received.
 */
export const sameSignalMs = 2_000;

/**
 * Returns a function that takes the time of a signal in milliseconds, and returns true if the signal counts.
 */
export function createSignals(): (nowMs: number) => boolean {
  let followedAtMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    // The absolute value covers a clock that was set back.
    if (Math.abs(nowMs - followedAtMs) < sameSignalMs) return false;
    followedAtMs = nowMs;
    return true;
  };
}

/**
 * Handles SIGTERM and SIGINT from now on. The first signal stops the service. A later signal skips the
 * lame-duck phase; if there is none, it ends the process without waiting for open requests. Signals within
 * two seconds count as one.
 */
export function listenForEnd({ signal, clock }: Terminal): EndOfService {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = new AbortController();
  let isSignalled = false;
  let skip = (): boolean => false;
  const isFollowed = createSignals();
  const endedBy = (exitCode: number): void => {
    if (!isFollowed(clock())) return;
    if (isSignalled && !skip()) process.exit(exitCode);
    isSignalled = true;
    resolve();
    ended.abort();
  };
  process.on('SIGTERM', () => endedBy(exitCodes.terminated));
  signal.addEventListener('abort', () => {
    // Replaces the handler that ends other commands at the second signal.
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', () => endedBy(exitCodes.interrupted));
    endedBy(exitCodes.interrupted);
  });
  return {
    signal: ended.signal,
    stop: async (service) => {
      await promise;
      skip = service.skipLameDuck;
      await service.stop();
    },
  };
}

/** Exit codes of a service that a second signal ended. */
const exitCodes = { terminated: 1, interrupted: 130 };
