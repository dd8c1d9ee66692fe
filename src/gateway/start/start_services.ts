// The second step of a start: services outside of the enclave, and the watch for changes.

import { ServiceError } from '../../core/errors/errors.ts';
import type { StorePort } from '../../store/port.ts';
import type { Store } from '../../store/store.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';
import { createHeldRequests, type HeldRequests } from '../admission/held_requests.ts';
import { createNews, type News } from '../admission/news.ts';
import { entered } from '../audit/audited_store.ts';
import { monotonicClock } from '../base/clock.ts';
import { type Messages, openMessages } from '../messages/open_messages.ts';
import { announcingCommits, counted } from '../observability/watched_store.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { fencedCommits } from '../rotation/fenced_commits.ts';
import { startTracing } from '../traces/start_traces.ts';
import { tracedSend } from '../traces/traced_outbound.ts';
import type { Tracing } from '../traces/tracing.ts';
import { createExternalServices } from './external_services.ts';
import type { Starting } from './starting.ts';

/** Interval of polls for other nodes' changes while requests wait. */
const newsPollMs = 500;

export type StartedServices = {
  readonly tracing: Tracing;
  readonly messages: Messages;
  readonly held: HeldRequests;
  readonly external: ReturnType<typeof createExternalServices>;
  /** Port of the store, with metrics, audit trail and notifications. */
  readonly port: StorePort;
};

export async function startServices(starting: Starting, store: Store): Promise<StartedServices> {
  const { settings, log, metrics, closers } = starting;
  const tracing = await startTracing(settings, { closers, log, metrics });
  const messages = await startMessages(starting, tracing);
  const { news, held } = startNews(starting, store);
  const stored = fencedCommits(store.port, starting.epochFence);
  const entering = entered(settings, counted(stored, metrics), () => starting.copy?.wakeAudit());
  const port = announcingCommits(entering, { news, wake: () => starting.copy?.wake() });
  const external = createExternalServices(settings, {
    deliver: messages.deliver,
    log,
    tracing,
    metrics,
  });
  closers.push(() => external.close());
  return { tracing, messages, held, external, port };
}

/** Starts the carriers of messages. They stop after the parts that send messages. */
async function startMessages(starting: Starting, tracing: Tracing): Promise<Messages> {
  const { settings, log, metrics, closers } = starting;
  const outbound = createOutbound(settings);
  closers.push(() => outbound.close());
  const messages = await openMessages(settings, {
    log,
    clock: Date.now,
    random: openKernelRandom(),
    finished: metrics.messageEnded,
    send: tracedSend(outbound.send, tracing, 'message'),
    tracing,
    submit: (report) =>
      starting.enclave?.call('emailSeen', report) ??
      Promise.reject(new ServiceError('enclave_unavailable')),
  });
  closers.push(() => messages.stop(settings.drainTimeoutMs));
  return messages;
}

/** Starts the notifications of changes, and the requests that wait for them. */
function startNews(
  { settings, metrics, closers }: Starting,
  store: Store,
): { readonly news: News; readonly held: HeldRequests } {
  const { databaseUrl, sourceSharePercent } = settings;
  const clock = monotonicClock;
  const isShared = databaseUrl !== undefined;
  const news = createNews({
    clock,
    shared: isShared ? { marks: store.news.marks, pollMs: newsPollMs } : undefined,
  });
  closers.push(() => news.close());
  const heldChanged = metrics.requestsHeld;
  return { news, held: createHeldRequests({ news, clock, sourceSharePercent, heldChanged }) };
}
