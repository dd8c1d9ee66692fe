// Pages of activities of megabytes. Each answer is bounded in bytes, and the memory of both processes too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createLargePages } from '../support/large_pages.ts';
import { testsThatNeed } from '../support/tests_that_need.ts';
import { childrenOf, serviceOfThisFile } from './service.ts';

const { test } = testsThatNeed(
  process.platform === 'linux' ? undefined : 'needs /proc, which tells what is resident',
);

// Concurrent lists wait for each other. On a busy machine, they exceed the default deadline.
const service = await serviceOfThisFile({ KEYWRIGHT_REQUEST_DEADLINE_MS: '120000' });
const maximumMiB = 512;

/** Returns the peak memory of a process since its start, in MiB. */
const peakMiB = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

function assertSmall(): string {
  const [enclave] = childrenOf(service.pid);
  const peaks = { gateway: peakMiB(service.pid), enclave: peakMiB(enclave ?? 0) };
  const memory = Object.entries(peaks).map(([name, mib]) => `${name} ${mib.toFixed(0)} MiB`);
  assert(Math.max(...Object.values(peaks)) < maximumMiB, memory.join(', '));
  return memory.join(', ');
}

const { organizationId } = service.credentials;
const target = { url: service.baseUrl, organizationId, key: service.credentials };
const pages = await createLargePages(target, 16);

test('memory is bounded while payloads of 3.8 MB are signed', (t) => {
  t.diagnostic(assertSmall());
});

test('all deliveries are listed with bodies and headers, in shorter pages', async (t) => {
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const numbers = await pages.readDeliveries();
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => i + 1),
      );
      assert.ok(numbers.length > pages.activityIds.length);
    }),
  );
  t.diagnostic(assertSmall());
});

test('forty concurrent lists are answered', async (t) => {
  const statuses = await pages.listAtOnce(40);
  t.diagnostic(assertSmall());
  assert.deepEqual(new Set(statuses), new Set([200]));
});

test('all activities are listed, in shorter pages', async (t) => {
  const ids = await pages.listAll();
  assert.deepEqual(ids.slice(0, pages.activityIds.length), pages.activityIds.toReversed());
  t.diagnostic(assertSmall());
});

test('unread answers do not stay in the enclave', async (t) => {
  const sockets = await pages.leaveUnread(10);
  t.diagnostic(assertSmall());
  for (const socket of sockets) socket.destroy();
});
