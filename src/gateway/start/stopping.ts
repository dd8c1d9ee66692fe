// Stops a service: reports that it is not ready, serves until proxies have noticed, finishes requests in
// progress, and closes.

import { lameDuckBehindProxyMs, type Settings } from '../../settings/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../observability/log.ts';

export type Stopping = {
  /** Returns true after `stop` was called. */
  hasBegun(): boolean;
  /** Resolves when everything is closed. */
  stop(): Promise<void>;
  /** Ends the lame-duck phase; returns false if there is none now. */
  skipLameDuck(): boolean;
};

type StoppingOptions = {
  /** Time for which the service still serves while it is not ready. */
  readonly lameDuckMs: number;
  /** Servers that serve until then; further servers may be added. */
  readonly servers: readonly { retire(): void }[];
  readonly close: () => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
};

/** Returns the length of the phase, which only a proxy needs to detect that the service is not ready. */
export function lameDuckOf({
  lameDuckMs,
  trustedProxies,
}: Pick<Settings, 'lameDuckMs' | 'trustedProxies'>): number {
  return lameDuckMs ?? (trustedProxies > 0 ? lameDuckBehindProxyMs : 0);
}

export function createStopping({
  lameDuckMs,
  servers,
  close,
  log,
  clock,
}: StoppingOptions): Stopping {
  let stopped: Promise<void> | undefined;
  let endPhase: (() => void) | undefined;

  async function lameDuck(): Promise<void> {
    if (lameDuckMs === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(lameDuckMs, resolve);
    endPhase = resolve;
    await promise;
    endPhase = undefined;
    cancel();
  }

  async function stop(): Promise<void> {
    log('info', 'stopping: not ready from now on', { lameDuckMs });
    for (const server of servers) server.retire();
    await lameDuck();
    log('info', 'stopping: no new connections from now on', {});
    await close();
    log('info', 'stopped', {});
  }

  return {
    hasBegun: () => stopped !== undefined,
    stop: () => {
      stopped ??= Promise.resolve().then(stop);
      return stopped;
    },
    skipLameDuck: () => {
      endPhase?.();
      return endPhase !== undefined;
    },
  };
}
