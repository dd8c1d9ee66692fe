// A receiver that is unavailable for days of simulated time, while further events are created.

import assert from 'node:assert/strict';
import { createWorld, hourMs, minuteMs, secondMs } from '../gateway/webhooks/world.ts';
import { makeEndpoint } from '../operations/webhooks/webhook_requests.ts';
import { startTestService } from '../support/harness.ts';
import { rename } from '../votes/voting.ts';

const outages = ['network', 'timeout', 'name_not_found', 503] as const;
const renames = '{"activityTypes":["ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME"]}';

/**
 * Runs the outage; throws if afterwards an event is missing, repeated or, with one exception, out of order.
 */
export async function outage({
  events,
  hours,
}: {
  readonly events: number;
  readonly hours: number;
}): Promise<{ readonly attempts: number }> {
  const service = await startTestService();
  const { arrived, start, receive, pass } = createWorld(service);
  await makeEndpoint(service, {
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: renames }],
  });
  receive(() => outages[arrived.length % outages.length] ?? 503);
  const worker = start();
  let made = 0;
  for (let hour = 1; hour <= hours; hour += 1) {
    for (; made < (events * hour) / hours; made += 1) await rename(service, `Event ${made}`);
    worker.wake();
    await pass(hourMs);
  }
  const attempts = arrived.length;
  assert.ok(attempts >= hours, 'it is tried again and again');
  receive(() => 200);
  await pass(10 * minuteMs + made * secondMs);
  await worker.stop();
  const [probe, ...others] = arrived.slice(attempts).map(({ sequence }) => sequence);
  assert(probe !== undefined);
  assert.deepEqual(
    others,
    Array.from({ length: made }, (_, n) => n + 1).filter((sequence) => sequence !== probe),
    'in order after the one that met the receiver first, and each once',
  );
  await service.close();
  return { attempts };
}
