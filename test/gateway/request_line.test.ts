// The request line starts requests of strangers in later turns of the event loop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRequestLine,
  deferredHoldsMs,
  deferredUnderWay,
  freePerTurn,
  manyRefusals,
  maximumWaiting,
  waitingPerTurn,
} from '../../src/gateway/admission/request_line.ts';

/** Creates a line whose turns and time tests control. */
function startLine() {
  let now = 0;
  let turns: (() => void)[] = [];
  const timers: { atMs: number; callback: () => void }[] = [];
  let deferred = 0;
  const line = createRequestLine({
    clock: () => now,
    inNextTurn: (callback) => turns.push(callback),
    after: (ms, callback) => timers.push({ atMs: now + ms, callback }),
    sharePercent: 50,
    deferred: () => {
      deferred += 1;
    },
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    deferred: () => deferred,
    enter: (name: string, source: string, isTrusted: boolean) =>
      line.enter({
        source,
        isOfTrustedKey: () => isTrusted,
        begin: () => begun.push(name),
        onceEnded: (ended) => ends.set(name, ended),
      }),
    end: (name: string) => ends.get(name)?.(),
    refuseMany: () => {
      for (let i = 0; i <= manyRefusals; i += 1) line.requestRefused();
    },
    turn: () => {
      const due = turns;
      turns = [];
      for (const callback of due) callback();
      return due.length;
    },
    pass: (ms: number) => {
      now += ms;
      for (const { atMs, callback } of timers.splice(0)) {
        if (atMs <= now) callback();
        else timers.push({ atMs, callback });
      }
    },
  };
}

type Line = ReturnType<typeof startLine>;

function enterMany(line: Line, count: number, source: string): void {
  for (let i = 0; i < count; i += 1) line.enter(`${source} ${i}`, source, false);
}

test('every request starts at once while few requests are refused', () => {
  const line = startLine();
  enterMany(line, 1_000, 'a');
  assert.equal(line.begun.length, 1_000);
  assert.equal(line.deferred(), 0);
});

test('a trusted key overtakes a flood, of which few requests begin in a turn', () => {
  const line = startLine();
  line.refuseMany();
  enterMany(line, 1_000, 'a');
  assert.equal(line.begun.length, freePerTurn);
  line.enter('root', 'b', true);
  assert.equal(line.begun.at(-1), 'root');
  line.turn();
  assert.equal(line.begun.length, freePerTurn + 1 + waitingPerTurn);
  assert.equal(line.deferred(), 1_000 - freePerTurn);
});

test('deferred requests are bounded, and continue as others end', () => {
  const line = startLine();
  line.refuseMany();
  enterMany(line, 1_000, 'a');
  while (line.turn() > 0);
  assert.equal(line.begun.length, freePerTurn + deferredUnderWay);
  line.end(`a ${freePerTurn}`);
  line.end(`a ${freePerTurn + 1}`);
  line.end(`a ${freePerTurn + 1}`);
  while (line.turn() > 0);
  assert.equal(line.begun.length, freePerTurn + deferredUnderWay + 2);
});

test('requests that never end hold their places for a short time', () => {
  const line = startLine();
  line.refuseMany();
  enterMany(line, 200, 'a');
  for (let i = 0; line.begun.length < 200; i += 1) {
    assert.ok(i < 200, `${line.begun.length} of 200 have begun`);
    while (line.turn() > 0);
    line.pass(deferredHoldsMs);
  }
  assert.ok(line.turn() <= 1);
});

test('waiting requests are bounded, and one source leaves room for others', () => {
  const line = startLine();
  line.refuseMany();
  const entered = Array.from({ length: 2_000 }, (_, i) => line.enter(`a ${i}`, 'a', false));
  assert.equal(entered.filter((isEntered) => isEntered).length, freePerTurn + maximumWaiting / 2);
  assert.ok(line.enter('stranger', 'b', false));
  assert.ok(line.enter('root', 'a', true));
  while (line.turn() > 0);
  assert.ok(line.enter('later', 'a', false));
});

test('sources take turns', () => {
  const line = startLine();
  line.refuseMany();
  enterMany(line, 500, 'a');
  line.enter('stranger', 'b', false);
  line.turn();
  assert.ok(line.begun.includes('stranger'));
});

test('requests start at once again after the refusals end', () => {
  const line = startLine();
  line.refuseMany();
  line.pass(10_000);
  enterMany(line, 100, 'a');
  assert.equal(line.begun.length, 100);
});
