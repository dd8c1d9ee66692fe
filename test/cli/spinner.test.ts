import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ticker, withSpinner } from '../../src/cli/terminal/spinner.ts';

/** A ticker that ticks when the test says so. */
function handTicker() {
  let tick: (() => void) | undefined;
  const asked: [number, number][] = [];
  const ticker: Ticker = (delayMs, everyMs, run) => {
    asked.push([delayMs, everyMs]);
    tick = run;
    return () => {
      tick = undefined;
    };
  };
  return { ticker, asked, tick: () => tick?.() };
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

test('an answer that comes soon shows nothing', async () => {
  const { asking, answers, asked, shown, tick } = setUp();
  const answer = asking('http://service/');
  assert.deepEqual(asked, [[400, 100]]);
  answers[0]?.resolve(new Response());
  await answer;
  tick();
  assert.equal(shown(), '');
});

test('a slow answer is waited for visibly, and the line is cleared before the answer is printed', async () => {
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

test('nothing is between the command and the service where no person reads, or nothing is erased', () => {
  for (const [isTerminal, kind] of [
    [false, 'xterm'],
    [true, 'dumb'],
  ] as const) {
    const { asking, send } = setUp(isTerminal, kind);
    assert.equal(asking, send);
  }
});
