import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { affordableConnections } from '../../src/gateway/connections.ts';
import {
  createLoadLimiter,
  type LoadLimits,
  OverloadedError,
  type Work,
} from '../../src/gateway/load_limiter.ts';

const limits: LoadLimits = {
  inFlightMaximum: 100,
  bodyMemoryBytes: 1_000,
  sourceSharePercent: 50,
  requestDeadlineMs: 10_000,
};

/** A limiter with a clock that stands still until it is moved. */
function startLimiter(changed: Partial<LoadLimits> = {}) {
  let now = 0;
  const load = createLoadLimiter({ ...limits, ...changed }, () => now);
  return {
    load,
    advance: (ms: number) => {
      now += ms;
    },
    /** Serves so many requests one after the other, each in so many milliseconds. */
    serve: (count: number, msEach: number) => {
      const works = Array.from({ length: Math.min(count, 10) }, () => load.begin('before'));
      for (let i = 0; i < count; i += 1) {
        now += msEach;
        works.shift()?.end();
        if (i + 10 < count) works.push(load.begin('before'));
      }
    },
  };
}

const begun = (job: () => Work): boolean => {
  try {
    job();
    return true;
  } catch (error) {
    assert.ok(error instanceof OverloadedError);
    return false;
  }
};

describe('requests under way', () => {
  test('are bounded for one source and in all', () => {
    const { load } = startLimiter();
    const works = Array.from({ length: 50 }, () => load.begin('a'));
    assert.ok(!begun(() => load.begin('a')));
    assert.ok(load.refusal('a') instanceof OverloadedError);
    assert.equal(load.refusal('b'), undefined);
    for (let i = 0; i < 50; i += 1) load.begin('b');
    assert.ok(!begun(() => load.begin('c')));
    works[0]?.end();
    works[0]?.end();
    assert.ok(begun(() => load.begin('c')));
    assert.ok(!begun(() => load.begin('c')), 'a place is freed once');
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
    let admitted = 0;
    while (begun(() => load.begin('a'))) admitted += 1;
    assert.ok(admitted >= 99 && admitted <= 101, `100 of 100 ms each, not ${admitted}`);
    assert.ok([10, 11].includes(load.refusal('a')?.retryAfterSeconds ?? 0));
  });

  test('of a source with few requests are not refused for those of another', () => {
    const { load, serve } = startLimiter({ inFlightMaximum: 10_000 });
    serve(1_000, 100);
    while (begun(() => load.begin('a')));
    assert.ok(begun(() => load.begin('b')));
    assert.ok(begun(() => load.begin('b')));
    assert.equal(load.refusal('c'), undefined);
  });

  test('are admitted again as soon as the service is fast again, or has nothing to do', () => {
    const { load, serve, advance } = startLimiter({ inFlightMaximum: 10_000 });
    serve(500, 1_000);
    const works: Work[] = [];
    const beginOne = () => {
      const work = load.begin('a');
      works.push(work);
      return work;
    };
    while (begun(beginOne));
    assert.ok(works.length < 15);
    for (const work of works) work.end();
    assert.ok(
      begun(() => load.begin('a')),
      'an idle service serves',
    );
    advance(3_600_000);
    serve(1_000, 1);
    assert.equal(load.refusal('a'), undefined);
  });

  test('tell a client to come again after at least one second and at most thirty', () => {
    assert.equal(new OverloadedError(0).retryAfterSeconds, 1);
    assert.equal(new OverloadedError(1_001).retryAfterSeconds, 2);
    assert.equal(new OverloadedError(600_000).retryAfterSeconds, 30);
  });
});

describe('bytes', () => {
  test('are bounded for one source and in all, and freed', () => {
    const { load } = startLimiter();
    const a = load.openAccount('a');
    a.hold(500);
    assert.throws(() => a.hold(1), OverloadedError);
    assert.throws(() => load.openAccount('a').hold(1), OverloadedError);
    const b = load.openAccount('b');
    b.hold(500);
    assert.throws(() => load.openAccount('c').hold(1), OverloadedError);
    b.close();
    b.close();
    load.openAccount('c').hold(500);
  });

  test('of an answer take the place of those of the body, and are held in any case', () => {
    const { load } = startLimiter();
    const account = load.openAccount('a');
    account.hold(400);
    account.holdAnswer(5_000);
    assert.ok(load.refusal('b') instanceof OverloadedError);
    account.close();
    assert.equal(load.refusal('b'), undefined);
  });
});

test('connections leave files for the rest of the process', () => {
  const text = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}   524288   files\n`;
  assert.equal(affordableConnections(10_000, text('524288')), 10_000);
  assert.equal(affordableConnections(10_000, text('1024')), 704);
  assert.equal(affordableConnections(10_000, text('64')), 1);
  assert.equal(affordableConnections(10_000, text('unlimited')), 10_000);
  assert.equal(affordableConnections(10_000, undefined), 10_000);
});
