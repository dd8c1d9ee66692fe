import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  type Counted,
  emptyCounter,
  isSpent,
  stretchesOfWindow,
  stretchMs,
  sumAt,
  withAmount,
} from '../../../../src/core/policy/velocity/counter.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);

test('an amount counts for its window, and for at most one more stretch', () => {
  for (const durationMs of [1_000, 10_000, hour, 24 * hour, 366 * 24 * hour]) {
    const window = { durationMs };
    for (const offset of [0, 1, 999, 12_345, durationMs - 1]) {
      const at = start + offset;
      const counter = withAmount(emptyCounter, window, at, 5n);
      for (const later of [0, 1, durationMs - 1, durationMs]) {
        assert.equal(sumAt(counter, window, at + later), 5n);
      }
      assert.equal(sumAt(counter, window, at + durationMs + stretchMs(window)), 0n);
      assert(isSpent(counter, window, at + durationMs + stretchMs(window)));
      assert(!isSpent(counter, window, at + durationMs));
    }
  }
});

test('without a window, amounts count forever', () => {
  let counter: Counted = emptyCounter;
  for (let day = 0; day < 10_000; day += 100) {
    counter = withAmount(counter, undefined, start + day * 24 * hour, 2n ** 200n);
  }
  assert.equal(sumAt(counter, undefined, start + 20_000 * 24 * hour), 100n * 2n ** 200n);
  assert.equal(counter.counts.length, 1);
  assert(!isSpent(counter, undefined, Number.MAX_SAFE_INTEGER));
});

test('a clock that is set back frees nothing', () => {
  const window = { durationMs: hour };
  const before = withAmount(emptyCounter, window, start, 5n);
  const back = withAmount(before, window, start - 10 * hour, 7n);
  for (const at of [start - 20 * hour, start - 10 * hour, start, start + hour]) {
    assert.equal(sumAt(back, window, at), 12n);
  }
});

test('a counter is bounded, and its sum lies between the window and one more stretch', () => {
  for (const seed of ['a', 'b', 'c']) {
    const durationMs = [10_000, hour, 24 * hour][seed.charCodeAt(0) - 97] ?? hour;
    const window = { durationMs };
    const events: { at: number; amount: bigint }[] = [];
    let counter: Counted = emptyCounter;
    let at = start;
    for (let i = 0; i < 2_000; i += 1) {
      const draw = createHash('sha256').update(`${seed}/${i}`).digest();
      at += draw.readUInt32BE(0) % Math.floor(durationMs / 40);
      const amount = BigInt(draw.readUInt16BE(4));
      const sumSince = (from: number) =>
        events.reduce((sum, event) => sum + (event.at > from ? event.amount : 0n), 0n);
      const sum = sumAt(counter, window, at);
      assert(sum >= sumSince(at - durationMs), 'nothing of the window is forgotten');
      assert(sum <= sumSince(at - durationMs - stretchMs(window)), 'nothing counts much longer');
      counter = withAmount(counter, window, at, amount);
      events.push({ at, amount });
      assert(counter.counts.length <= stretchesOfWindow + 2);
      assert.equal(sumAt(counter, window, at), sum + amount);
    }
  }
});
