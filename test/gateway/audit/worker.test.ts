import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuditSinkError } from '../../../src/gateway/audit/sink.ts';
import {
  auditLeaseMs,
  auditPollMs,
  gatheringMs,
  startAuditWorker,
} from '../../../src/gateway/audit/worker.ts';
import type { AuditEntry, AuditStream } from '../../../src/store/reads/audit_stream.ts';
import { manualClock } from '../manual_clock.ts';

/** Creates a stream in memory, workers on it, and a destination whose failures tests set. */
function createWorld() {
  const { clock, advance } = manualClock();
  let entries: readonly AuditEntry[] = [];
  let lastNumber = 0;
  let lease = { owner: '', untilMs: 0 };
  let trouble: (write: number) => string | undefined = () => undefined;
  let lostDeliveries = 0;
  const lines: string[] = [];
  const counts = { leases: 0, writes: 0, written: 0, failed: 0, largest: 0 };
  const stream: AuditStream = {
    lease: async ({ owner, now, leaseUntilMs }) => {
      counts.leases += 1;
      if (lastNumber === 0 || (lease.owner !== owner && lease.untilMs > now)) return false;
      lease = { owner, untilMs: leaseUntilMs };
      return true;
    },
    next: async ({ limit }) => entries.slice(0, limit),
    reached: async () => assert.fail('a single destination has no position'),
    delivered: async ({ upTo }) => {
      if (lostDeliveries > 0) {
        lostDeliveries -= 1;
        throw new Error('the database is away');
      }
      entries = entries.filter(({ number }) => number > upTo);
    },
    release: async ({ owner }) => {
      if (lease.owner === owner) lease = { owner, untilMs: 0 };
    },
  };
  const writtenBy: { readonly owner: string; readonly numbers: readonly number[] }[] = [];
  return {
    advance,
    lines,
    counts,
    writtenBy,
    decide: (count: number) => {
      const added = Array.from({ length: count }, (_, i) => ({
        number: lastNumber + i + 1,
        organizationId: 'organization',
        activityId: `activity ${lastNumber + i + 1}`,
        version: 1,
      }));
      lastNumber += count;
      entries = [...entries, ...added];
    },
    waiting: () => entries.length,
    fail: (next: typeof trouble) => {
      trouble = next;
    },
    loseDeliveries: (count: number) => {
      lostDeliveries = count;
    },
    start: (owner: string) =>
      startAuditWorker({
        stream,
        owner,
        sink: {
          kind: 'url',
          name: 'a place',
          write: async (bytes) => {
            counts.writes += 1;
            const reason = trouble(counts.writes);
            if (reason !== undefined) throw new AuditSinkError(reason);
            const texts = Buffer.from(bytes).toString().trimEnd().split('\n');
            counts.largest = Math.max(counts.largest, texts.length);
            writtenBy.push({ owner, numbers: texts.map((text) => JSON.parse(text).number) });
          },
          close: () => undefined,
        },
        linesOf: async ({ entries: asked }) => ({
          lines: asked.map(({ number }) => Buffer.from(JSON.stringify({ number }))),
        }),
        now: clock.now,
        after: clock.after,
        log: (level, message) => lines.push(`${level}: ${message}`),
        written: (count) => {
          counts.written += count;
        },
        failed: () => {
          counts.failed += 1;
        },
      }),
  };
}

const numbersOf = (world: ReturnType<typeof createWorld>) =>
  world.writtenBy.flatMap(({ numbers }) => numbers);
const countTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('waiting entries are written in order, some at once, and then deleted', async () => {
  const world = createWorld();
  world.decide(1_000);
  const worker = world.start('a');
  await world.advance(gatheringMs);
  assert.deepEqual(numbersOf(world), countTo(1_000));
  assert.equal(world.waiting(), 0);
  assert.equal(world.counts.written, 1_000);
  assert.ok(world.counts.largest <= 128, `${world.counts.largest} lines in memory`);
  await worker.stop();
});

test('commits wake the worker, which starts after the same short delay for any number of them', async () => {
  const world = createWorld();
  world.decide(1);
  const worker = world.start('a');
  await world.advance(auditPollMs);
  const before = world.counts.writes;
  for (let ms = 0; ms < 10 * gatheringMs; ms += 10) {
    world.decide(1);
    worker.wake();
    await world.advance(10);
  }
  const writes = world.counts.writes - before;
  assert.ok(writes >= 7 && writes <= 10, `${writes} writes`);
  await worker.stop();
});

test('while the destination is down nothing is lost, and retries become rarer', async () => {
  const world = createWorld();
  world.decide(10);
  world.fail(() => 'the disk is full');
  const worker = world.start('a');
  const hourMs = 60 * 60 * 1_000;
  await world.advance(hourMs);
  const tried = world.counts.writes;
  assert.ok(tried > 100 && tried < 140, `${tried} attempts in an hour`);
  assert.equal(world.counts.failed, tried);
  assert.ok(world.lines.length <= 60 && world.lines.length > 10, 'one line a minute');
  for (let n = 0; n < 50; n += 1) {
    world.decide(1);
    worker.wake();
    await world.advance(0);
  }
  assert.equal(world.counts.writes, tried, 'commits do not hurry it');
  world.fail(() => undefined);
  await world.advance(31_000);
  assert.deepEqual(numbersOf(world), countTo(60));
  assert.equal(world.lines.at(-1), 'info: the audit trail is written again');
  await worker.stop();
});

test('entries that were written and not yet deleted are written again, under the same numbers', async () => {
  const world = createWorld();
  world.decide(3);
  world.loseDeliveries(1);
  const worker = world.start('a');
  await world.advance(auditPollMs);
  assert.deepEqual(numbersOf(world), [1, 2, 3, 1, 2, 3]);
  assert.equal(world.waiting(), 0);
  await worker.stop();
});

test('of two nodes one writes; the other takes over at once after a stop, and later after a kill', async () => {
  const world = createWorld();
  world.decide(2);
  const first = world.start('first');
  await world.advance(0);
  const second = world.start('second');
  for (let n = 0; n < 40; n += 1) {
    world.decide(1);
    first.wake();
    second.wake();
    await world.advance(1_000);
  }
  const owners = () => [...new Set(world.writtenBy.map(({ owner }) => owner))];
  assert.deepEqual(owners(), ['first']);
  assert.deepEqual(numbersOf(world), countTo(42));
  await first.stop();
  world.decide(1);
  await world.advance(auditPollMs);
  assert.deepEqual(owners(), ['first', 'second']);
  const third = world.start('third');
  // Simulates a kill: the worker neither writes nor gives up its lease.
  world.fail(() => 'killed');
  await world.advance(auditLeaseMs);
  assert.deepEqual(owners(), ['first', 'second']);
  world.fail(() => undefined);
  world.decide(1);
  await Promise.all([second.stop(), third.stop()]);
  const leases = world.counts.leases;
  await world.advance(60_000);
  assert.equal(world.counts.leases, leases, 'nobody asks any more');
});
