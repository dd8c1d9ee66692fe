// The worker under simulated time: a real enclave, a real store in memory, receivers as functions, and a
// clock that only tests advance.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../../src/gateway/observability/log.ts';
import type {
  OutboundAnswer,
  OutboundFailure,
  OutboundRequest,
} from '../../../src/gateway/outbound/request.ts';
import {
  startWebhookWorker,
  type WebhookWorker,
  type WebhookWorkerOptions,
} from '../../../src/gateway/webhooks/worker.ts';
import type { Outbox } from '../../../src/store/reads/outbox.ts';
import type { TestService } from '../../support/harness.ts';

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A request that arrived, with the members that tests check. */
export type Arrived = {
  readonly atMs: number;
  readonly url: string;
  readonly eventId: string;
  readonly sequence: number;
  readonly request: OutboundRequest;
};

export type Answer = number | OutboundFailure['failure'] | OutboundAnswer | Promise<number>;
type Receiver = (arrived: Arrived) => Answer;

export const defaultLimits: WebhookWorkerOptions['limits'] = {
  timeoutMs: 10 * secondMs,
  concurrency: 4,
  retryMs: 7 * dayMs,
  retriesTooManyRequests: false,
  disableAfterMs: 5 * dayMs,
  retentionMs: 30 * dayMs,
  // Rare, since days pass.
  pollMs: minuteMs,
};

/** Creates workers and receivers around one service. */
export function createWorld(service: TestService) {
  const arrived: Arrived[] = [];
  const lines: string[] = [];
  let timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  let receiver: Receiver = () => 200;
  /** Running calls: while there are some, the clock does not advance. */
  let underWay = 0;

  async function counted<Value>(call: () => Promise<Value>): Promise<Value> {
    underWay += 1;
    try {
      return await call();
    } finally {
      underWay -= 1;
    }
  }

  const outbox: Outbox = {
    claim: (request) => counted(() => service.store.outbox.claim(request)),
    next: (request) => counted(() => service.store.outbox.next(request)),
    record: (request) => counted(() => service.store.outbox.record(request)),
    pause: (request) => counted(() => service.store.outbox.pause(request)),
    release: (request) => counted(() => service.store.outbox.release(request)),
    drop: (request) => counted(() => service.store.outbox.drop(request)),
    forget: (request) => counted(() => service.store.outbox.forget(request)),
  };

  async function send(request: OutboundRequest): Promise<OutboundAnswer | OutboundFailure> {
    const header = (name: string) => request.headers?.[name] ?? '';
    const each = {
      atMs: service.now(),
      url: request.url,
      eventId: header('X-Service-Event-Id'),
      sequence: Number(header('X-Service-Sequence')),
      request,
    };
    arrived.push(each);
    const answer = await receiver(each);
    if (typeof answer === 'string') return { failure: answer, detail: '' };
    if (typeof answer === 'object') return answer;
    return { status: answer, headers: {}, body: new Uint8Array(0) };
  }

  /** Waits until everything that needs no time has happened. */
  async function quiet(): Promise<void> {
    for (let turns = 0; turns < 5; turns = underWay === 0 ? turns + 1 : 0) await nextTurn();
  }

  const log: Log = (level, message) => {
    lines.push(`${level}: ${message}`);
  };

  return {
    arrived,
    lines,
    quiet,
    /** Returns an answer that arrives after this delay. */
    after: (delayMs: number, status: number): Promise<number> =>
      new Promise((resolve) => {
        timers.push({ dueMs: service.now() + delayMs, run: () => resolve(status) });
      }),
    receive: (next: Receiver) => {
      receiver = next;
    },
    start: (
      parts: {
        readonly owner?: string;
        readonly limits?: Partial<WebhookWorkerOptions['limits']>;
        /** Awaited before deliveries are signed. */
        readonly beforeSigning?: (endpointId: string) => Promise<void>;
      } = {},
    ): WebhookWorker =>
      startWebhookWorker({
        outbox,
        owner: parts.owner ?? 'worker',
        sign: async (request) => {
          await parts.beforeSigning?.(request.endpointId);
          return counted(async () => service.enclave.signDeliveries(request));
        },
        disable: (request) => counted(async () => service.enclave.disableEndpoint(request)),
        send,
        clock: {
          now: service.now,
          after: (delayMs, run) => {
            const timer = { dueMs: service.now() + delayMs, run };
            timers.push(timer);
            return () => {
              timers = timers.filter((each) => each !== timer);
            };
          },
        },
        random: () => 0.5,
        log,
        limits: { ...defaultLimits, ...parts.limits },
      }),
    /** Advances the clock, timer by timer. */
    pass: async (ms: number): Promise<void> => {
      const endMs = service.now() + ms;
      for (;;) {
        await quiet();
        const next = timers.toSorted((a, b) => a.dueMs - b.dueMs)[0];
        if (next === undefined || next.dueMs > endMs) break;
        timers = timers.filter((each) => each !== next);
        service.advance(Math.max(0, next.dueMs - service.now()));
        next.run();
      }
      service.advance(Math.max(0, endMs - service.now()));
      await quiet();
    },
  };
}
