import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createHeldRequests, heldLimits } from '../../src/gateway/admission/held_requests.ts';
import { OverloadedError } from '../../src/gateway/admission/load_limiter.ts';
import { createNews } from '../../src/gateway/admission/news.ts';
import { activityOf } from '../store/samples.ts';
import { manualClock, settled } from './manual_clock.ts';

const organizationId = 'o';
const found = (hasNews: boolean) => ({ kind: 'activities', id: organizationId, hasNews }) as const;
const answerWith = (text: string, news: ReturnType<typeof found> | undefined) => ({
  status: 200,
  body: Buffer.from(text),
  activityId: undefined,
  organizationId,
  errorCode: undefined,
  allowedOrigin: undefined,
  news,
});
const nothing = () => answerWith('nothing', found(false));
const something = () => answerWith('something', found(true));

function createWorld() {
  const time = manualClock();
  const news = createNews({ clock: time.clock });
  const counts: number[] = [];
  const held = createHeldRequests({
    news,
    clock: time.clock,
    heldChanged: (count: number) => counts.push(count),
    sourceSharePercent: 100,
  });
  const questions: number[] = [];

  /** Waits for news; `leave` runs when the connection ends. */
  function wait(answer = nothing, caller: { source?: string; bodyBytes?: number } = {}) {
    let leave = (): void => undefined;
    let outcome: string | undefined;
    const answered = held.answer(
      {
        waitSeconds: 25,
        bodyBytes: 100,
        source: 'here',
        onLeave: (left) => {
          leave = left;
        },
        ...caller,
      },
      async () => {
        questions.push(time.clock.now());
        return answer();
      },
    );
    answered.then(
      ({ answer: { body }, isHonored, heldMs }) => {
        outcome = `${body.toString()} ${isHonored} ${heldMs}`;
      },
      (error: Error) => {
        outcome = error.message;
      },
    );
    return { outcome: () => outcome, leave: () => leave() };
  }

  const change = () =>
    news.committed({ activities: [activityOf(1, { organizationId })], events: [] });
  return { ...time, held, counts, questions, wait, change };
}

describe('a held request', () => {
  test('is answered at once if there is news', async () => {
    const { wait, counts } = createWorld();
    const waiting = wait(something);
    await settled();
    assert.equal(waiting.outcome(), 'something true 0');
    assert.deepEqual(counts, []);
  });

  test('is answered as soon as there is news', async () => {
    const { wait, advance, change, questions, counts } = createWorld();
    let now = nothing;
    const waiting = wait(() => now());
    await advance(7_000);
    assert.equal(waiting.outcome(), undefined);
    now = something;
    change();
    await settled();
    assert.equal(waiting.outcome(), 'something true 7000');
    assert.deepEqual(questions, [0, 7_000]);
    assert.deepEqual(counts, [1, 0]);
  });

  test('gets an empty page at its deadline, decided again', async () => {
    const { wait, advance, questions, pending } = createWorld();
    const waiting = wait();
    await advance(24_999);
    assert.equal(waiting.outcome(), undefined);
    await advance(1);
    assert.equal(waiting.outcome(), 'nothing true 25000');
    assert.deepEqual(questions, [0, 25_000]);
    assert.equal(pending(), 0);
  });

  test('is refused by the decision at its deadline, after rights were revoked', async () => {
    const { wait, advance, change } = createWorld();
    let isAllowed = true;
    const waiting = wait(() => (isAllowed ? nothing() : answerWith('refused', undefined)));
    await advance(1_000);
    isAllowed = false;
    change();
    await settled();
    assert.match(waiting.outcome() ?? '', /^refused false/);
  });

  test('is decided less and less often while the news is for others', async () => {
    const { wait, advance, change, questions } = createWorld();
    wait();
    for (let i = 0; i < 1_000; i += 1) {
      change();
      await advance(10);
    }
    const pauses = questions.slice(1).map((atMs, i) => atMs - (questions[i] ?? 0));
    assert.ok(pauses[0] !== undefined && pauses[0] <= 10);
    assert.deepEqual(pauses.slice(1, 5), [100, 200, 400, 800]);
    assert.deepEqual(new Set(pauses.slice(5)), new Set([1_000]));
  });

  test('misses no change that is written while it is decided', async () => {
    const { wait, change, advance } = createWorld();
    let isWritten = false;
    const waiting = wait(() => {
      if (isWritten) return something();
      // After the read of the database, and before the answer.
      isWritten = true;
      change();
      return nothing();
    });
    await advance(0);
    assert.match(waiting.outcome() ?? '', /^something/);
  });

  test('is dropped when its caller disconnects', async () => {
    const { wait, advance, counts, pending } = createWorld();
    const waiting = wait();
    await advance(1_000);
    waiting.leave();
    await settled();
    assert.deepEqual(counts, [1, 0]);
    assert.equal(pending(), 0);
  });

  test('is answered when the service stops, and so are later requests', async () => {
    const { wait, held, advance } = createWorld();
    const waiting = wait();
    await advance(1_000);
    held.close();
    await settled();
    assert.equal(waiting.outcome(), 'nothing true 1000');
    const late = wait();
    await settled();
    assert.equal(late.outcome(), 'nothing true 0');
  });

  test('is decided again after an overload, and refused for it only at its deadline', async () => {
    const { wait, change, advance, questions } = createWorld();
    let isFull = false;
    const waiting = wait(() => {
      if (isFull) throw new OverloadedError(0, 'places');
      return nothing();
    });
    await advance(1_000);
    isFull = true;
    change();
    await advance(23_000);
    assert.equal(waiting.outcome(), undefined);
    assert.deepEqual(questions.slice(0, 5), [0, 1_000, 1_100, 1_300, 1_700]);
    await advance(1_000);
    assert.match(waiting.outcome() ?? '', /overloaded|busy|try again/i);
  });

  test('fails like its decision, and frees its place', async () => {
    const { wait, change, advance, counts } = createWorld();
    let fails = false;
    const waiting = wait(() => {
      if (fails) throw new Error('the enclave is gone');
      return nothing();
    });
    await advance(10);
    fails = true;
    change();
    await advance(200);
    assert.equal(waiting.outcome(), 'the enclave is gone');
    assert.deepEqual(counts, [1, 0]);
  });
});

describe('bounds', () => {
  test('a caller above the bound of its organization is answered at once, like one that does not wait', async () => {
    const { wait, counts } = createWorld();
    for (let i = 0; i < heldLimits.organization; i += 1) wait();
    await settled();
    assert.equal(counts.at(-1), heldLimits.organization);
    const one = wait();
    await settled();
    assert.equal(one.outcome(), 'nothing false 0');
  });

  test('callers above the bounds of all organizations or of one source are answered at once', async () => {
    for (const [sourceSharePercent, places] of [
      [100, heldLimits.all],
      [10, heldLimits.all / 10],
    ] as const) {
      const time = manualClock();
      const news = createNews({ clock: time.clock });
      let count = 0;
      const held = createHeldRequests({
        news,
        clock: time.clock,
        sourceSharePercent,
        heldChanged: (now) => {
          count = now;
        },
      });
      const caller = { waitSeconds: 25, bodyBytes: 1, source: 'one', onLeave: () => undefined };
      const honored: boolean[] = [];
      for (let i = 0; i < places + 3; i += 1) {
        const ask = async () => ({ ...nothing(), organizationId: `organization ${i}` });
        void held.answer(caller, ask).then(({ isHonored }) => honored.push(isHonored));
      }
      await settled();
      assert.equal(count, places);
      assert.deepEqual(honored, [false, false, false]);
    }
  });

  test('a large body is not held', async () => {
    const { wait } = createWorld();
    const waiting = wait(nothing, { bodyBytes: heldLimits.bodyBytes + 1 });
    await settled();
    assert.equal(waiting.outcome(), 'nothing false 0');
  });
});
