import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { affordableConnections } from '../../src/gateway/admission/connections.ts';
import {
  createLoadLimiter,
  type LoadLimiter,
  type LoadLimits,
  OverloadedError,
  placesWithReserve,
  requestsBelowEstimate,
  smallBodyBytes,
} from '../../src/gateway/admission/load_limiter.ts';

const kib = 1024;
const limits: LoadLimits = {
  inFlightMaximum: 128,
  bodyMemoryBytes: 1_024 * kib,
  bodyLimitBytes: 64 * kib,
  sourceSharePercent: 50,
  requestDeadlineMs: 10_000,
};

/** Creates a limiter with a stopped clock. */
function startLimiter(changed: Partial<LoadLimits> = {}) {
  let now = 0;
  let usedMs = 0;
  const dropped: string[] = [];
  const load = createLoadLimiter(
    { ...limits, ...changed },
    { clock: () => now, uses: [], answerDropped: () => dropped.push('unread') },
  );
  return {
    load,
    dropped,
    /** Serves this number of requests in turn, each of which waits and uses the enclave for these times. */
    serve: (count: number, usesMs: number, waitsMs = 0) => {
      for (let i = 0; i < count; i += 1) {
        const work = load.begin('before');
        now += usesMs + waitsMs;
        usedMs += usesMs;
        load.enclaveUsed(usedMs);
        work.end();
      }
    },
  };
}

/** Starts requests of a source until one is refused; returns the number of started ones. */
function beginAll(load: LoadLimiter, source: string): number {
  let count = 0;
  while (load.refusal(source) === undefined) {
    load.begin(source);
    count += 1;
  }
  return count;
}

const reasonOf = (job: () => unknown): string | undefined => {
  try {
    job();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof OverloadedError);
    return error.reason;
  }
};

describe('requests under way', () => {
  test('are bounded by the rest of the other sources, and in all', () => {
    const { load } = startLimiter();
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((source) => beginAll(load, source)),
      [64, 32, 16, 8],
    );
    assert.equal(
      reasonOf(() => load.begin('a')),
      'places',
    );
    const others = Array.from({ length: 100 }, (_, i) => beginAll(load, `other ${i}`));
    assert.ok(others.slice(0, 16).every((count) => count >= 1));
    assert.equal(120 + others.reduce((sum, count) => sum + count, 0), placesWithReserve(128));
  });

  test('free their place once', () => {
    const { load } = startLimiter({ inFlightMaximum: 2, sourceSharePercent: 100 });
    const works = ['a', 'a'].map((source) => load.begin(source));
    assert.equal(
      reasonOf(() => load.begin('a')),
      'places',
    );
    works[0]?.end();
    works[0]?.end();
    load.begin('a');
    assert.equal(
      reasonOf(() => load.begin('a')),
      'places',
    );
  });

  test('have numbers of their own', () => {
    const { load } = startLimiter();
    const ids = Array.from({ length: 20 }, () => {
      const work = load.begin('a');
      work.end();
      return work.id;
    });
    assert.equal(new Set(ids).size, 20);
  });

  test('are refused at once if they would wait beyond the deadline', () => {
    const { load, serve } = startLimiter({ inFlightMaximum: 10_000, sourceSharePercent: 100 });
    serve(1_000, 100);
    const admitted = beginAll(load, 'a');
    assert.ok(admitted >= 99 && admitted <= 101, `100 of 100 ms each, not ${admitted}`);
    assert.equal(load.refusal('a')?.reason, 'wait');
    assert.ok([10, 11].includes(load.refusal('a')?.retryAfterSeconds ?? 0));
  });

  test('of a source with few requests are not refused because of another source', () => {
    const { load, serve } = startLimiter({ inFlightMaximum: 10_000 });
    serve(1_000, 100);
    beginAll(load, 'a');
    load.begin('b');
    load.begin('b');
    assert.equal(load.refusal('c'), undefined);
  });

  test('below sixteen of a source are never refused for the estimate', () => {
    const { load, serve } = startLimiter();
    serve(1_000, 10_000);
    beginAll(load, 'slow');
    assert.equal(beginAll(load, 'a'), requestsBelowEstimate);
    assert.equal(load.refusal('a')?.reason, 'wait');
  });

  test('that wait for others leave a burst of somebody else its places', () => {
    const { load, serve } = startLimiter();
    serve(1_000, 1, 10_000);
    for (let i = 0; i < 30; i += 1) load.begin('neighbour');
    assert.equal(load.refusal('neighbour'), undefined);
  });

  test('are admitted again as soon as the service is fast again', () => {
    const { load, serve } = startLimiter({ inFlightMaximum: 10_000 });
    serve(500, 1_000);
    const works = Array.from({ length: requestsBelowEstimate }, () => load.begin('a'));
    assert.equal(load.refusal('a')?.reason, 'wait');
    for (const work of works) work.end();
    assert.equal(load.refusal('a'), undefined, 'an idle service serves');
    serve(1_000, 1);
    for (let i = 0; i < 100; i += 1) load.begin('a');
    assert.equal(load.refusal('a'), undefined);
  });

  test('name a time to retry of at least one second and at most thirty', () => {
    assert.equal(new OverloadedError(0, 'wait').retryAfterSeconds, 1);
    assert.equal(new OverloadedError(1_001, 'wait').retryAfterSeconds, 2);
    assert.equal(new OverloadedError(600_000, 'wait').retryAfterSeconds, 30);
  });
});

describe('bytes', () => {
  test('are bounded by the rest of the other sources, and freed', () => {
    const { load } = startLimiter();
    const a = load.openAccount('a');
    a.hold(512 * kib);
    assert.equal(
      reasonOf(() => a.hold(1)),
      'memory',
    );
    assert.equal(
      reasonOf(() => load.openAccount('a').hold(1)),
      'memory',
    );
    assert.equal(load.refusal('a')?.reason, 'memory');
    const b = load.openAccount('b');
    b.hold(256 * kib);
    assert.equal(
      reasonOf(() => b.hold(1)),
      'memory',
    );
    load.openAccount('c').hold(128 * kib);
    a.close();
    a.close();
    load.openAccount('a').hold(300 * kib);
  });

  test('of a small body are available to every source without use', () => {
    const { load } = startLimiter();
    for (const source of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const account = load.openAccount(source);
      while (reasonOf(() => account.hold(kib)) === undefined);
    }
    const newcomer = load.openAccount('newcomer');
    assert.equal(load.refusal('newcomer'), undefined);
    newcomer.hold(smallBodyBytes);
    assert.equal(
      reasonOf(() => newcomer.hold(512 * kib)),
      'memory',
    );
  });

  test('of large bodies by unknown keys share a pool, and leave that of known ones alone', () => {
    const { load } = startLimiter();
    // Two bodies of the largest size: half of it for one source.
    const strangers = Array.from({ length: 200 }, (_, i) => {
      const account = load.openAccount(`stranger ${i % 4}`);
      account.takeFromStrangers();
      return account;
    });
    const reasons = strangers.map((account) => reasonOf(() => account.hold(60 * kib)));
    assert.equal(reasons.filter((reason) => reason === undefined).length, 1);
    assert.equal(reasons.at(-1), 'unknown_keys');
    const known = load.openAccount('known');
    known.hold(64 * kib);
    strangers[0]?.close();
    const first = load.openAccount('a first request');
    first.takeFromStrangers();
    first.hold(smallBodyBytes);
    first.hold(50 * kib);
  });

  test('of an answer take the place of those of the body, and leave other sources theirs', () => {
    const { load } = startLimiter();
    const account = load.openAccount('a');
    account.hold(400);
    account.holdAnswer(5_000 * kib, () => {});
    assert.equal(load.refusal('a')?.reason, 'memory');
    assert.equal(load.refusal('b'), undefined);
    load.openAccount('b').hold(256 * kib);
    account.close();
    assert.equal(load.refusal('a'), undefined);
  });

  test('of answers that are not taken are bounded: the oldest of the source ends', () => {
    const { load, dropped } = startLimiter();
    const ended: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      load.openAccount('a').holdAnswer(100 * kib, () => ended.push(i));
    }
    assert.deepEqual(ended, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    assert.equal(dropped.length, 15);
  });

  test('of answers of many sources are dropped where most are held', () => {
    const { load } = startLimiter();
    const ended: string[] = [];
    const answer = (source: string, bytes: number) =>
      load.openAccount(source).holdAnswer(bytes, () => ended.push(source));
    for (const source of ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']) answer(source, 120 * kib);
    answer('neighbour', 20 * kib);
    assert.equal(ended.length, 0);
    for (let i = 0; i < 4; i += 1) answer('neighbour', 20 * kib);
    assert.ok(ended.length > 0);
    assert.ok(!ended.includes('neighbour'), String(ended));
  });
});

test('connections leave file descriptors for the rest of the process', () => {
  const text = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}   524288   files\n`;
  assert.equal(affordableConnections(10_000, text('524288')), 10_000);
  assert.equal(affordableConnections(10_000, text('1024')), 704);
  assert.equal(affordableConnections(10_000, text('64')), 1);
  assert.equal(affordableConnections(10_000, text('unlimited')), 10_000);
  assert.equal(affordableConnections(10_000, undefined), 10_000);
});
