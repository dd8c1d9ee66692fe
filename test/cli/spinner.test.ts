import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ticker, withSpinner } from '../../src/cli/terminal/spinner.ts';

/** Creates a ticker that the test controls. */
function handTicker() {
  let tick: (() => void) | undefined;
  const intervals: [number, number][] = [];
  const ticker: Ticker = (delayMs, everyMs, run) => {
    intervals.push([delayMs, everyMs]);
    tick = run;
    return () => {
      tick = undefined;
    };
  };
  return { ticker, intervals, tick: () => tick?.() };
}

function setUp(errIsTerminal = true, TERM = 'xterm') {
  let shown = '';
  const answers: PromiseWithResolvers<Response>[] = [];
  const send: typeof fetch = () => {
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  };
  const hand = handTicker();
  const terminal = {
    errIsTerminal,
    environment: { TERM },
    err: (text: string) => {
      shown += text;
    },
  };
  const asking = withSpinner(send, terminal, hand.ticker);
  return { asking, send, answers, ...hand, shown: () => shown };
}

test('a fast answer shows no spinner', async () => {
  const { asking, answers, intervals, shown, tick } = setUp();
  const answer = asking('http://service/');
  assert.deepEqual(intervals, [[400, 100]]);
  answers[0]?.resolve(new Response());
  await answer;
  tick();
  assert.equal(shown(), '');
});

test('a slow answer shows the spinner, and its line is cleared before the output', async () => {
  const { asking, answers, shown, tick } = setUp();
  const first = asking('http://service/');
  const second = asking('http://service/');
  tick();
  tick();
  assert.equal(shown(), '\r⠋ waiting for the service\r⠙ waiting for the service');
  answers[0]?.resolve(new Response());
  await first;
  assert.ok(!shown().includes('\u001b'), 'the other request still waits');
  answers[1]?.reject(new TypeError('fetch failed'));
  await assert.rejects(second, TypeError);
  assert.ok(shown().endsWith('\r\u001b[K'));
  tick();
  assert.ok(shown().endsWith('\r\u001b[K'), 'nothing turns any more');
});

test('without a terminal that can erase lines, there is no spinner', () => {
  for (const [isTerminal, kind] of [
    [false, 'xterm'],
    [true, 'dumb'],
  ] as const) {
    const { asking, send } = setUp(isTerminal, kind);
    assert.equal(asking, send);
  }
});
