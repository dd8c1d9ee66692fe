// Starts the webhook deliveries of one process from its settings.

import type { Settings } from '../../settings/settings.ts';
import type { Store } from '../../store/store.ts';
import type { Supervisor } from '../enclave/supervise.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { tracedSend } from '../traces/traced_outbound.ts';
import type { Tracing } from '../traces/tracing.ts';
import { startWebhookWorker, type WebhookWorker } from './worker.ts';

const hourMs = 60 * 60 * 1000;
const pollMs = 1_000;

/** Starts deliveries. `stop` lets running attempts end within the time for requests. */
export function startWebhooks(of: {
  readonly settings: Settings;
  readonly store: Store;
  readonly enclave: Pick<Supervisor, 'call'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}): WebhookWorker {
  const { settings, store, enclave, log, metrics, tracing } = of;
  const { webhookConcurrency: concurrency } = settings;
  const outbound = createOutbound({
    ...settings,
    // Twice the number of workers, see `worker.ts`; one server can take at most half of them.
    requests: 2 * concurrency,
    requestsPerHost: concurrency,
  });
  const worker = startWebhookWorker({
    outbox: store.outbox,
    // Only one process uses an embedded database, and it continues after its predecessor.
    owner: settings.databaseUrl === undefined ? 'embedded' : crypto.randomUUID(),
    sign: (request) => enclave.call('signDeliveries', request),
    disable: (request) => enclave.call('disableEndpoint', request),
    send: tracedSend(outbound.send, tracing, 'webhook'),
    clock: {
      now: Date.now,
      after: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        timer.unref();
        return () => clearTimeout(timer);
      },
    },
    random: Math.random,
    log,
    attempted: (outcome) => metrics.webhookAttempted(outcome),
    limits: {
      timeoutMs: settings.webhookTimeoutMs,
      concurrency,
      retryMs: settings.webhookRetryHours * hourMs,
      retriesTooManyRequests: settings.webhookRetryAfter,
      disableAfterMs: settings.webhookDisableHours * hourMs,
      retentionMs: settings.webhookRetentionDays * 24 * hourMs,
      pollMs,
    },
  });
  return {
    wake: worker.wake,
    stop: async () => {
      const deadline = setTimeout(() => outbound.close(), settings.drainTimeoutMs);
      try {
        await worker.stop();
      } finally {
        clearTimeout(deadline);
        outbound.close();
      }
    },
  };
}
