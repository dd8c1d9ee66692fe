import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKeyedQueue } from '../../src/pipeline/keyed_queue.ts';

/** Lets everything that can go on go on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

test('jobs of one key run one after the other, in the order in which they came', async () => {
  const turns = createKeyedQueue();
  const seen: string[] = [];
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const done = gates.map((gate, i) =>
    turns('key', async () => {
      seen.push(`begin ${i}`);
      await gate.promise;
      seen.push(`end ${i}`);
      return i;
    }),
  );
  // The last may go on at once, and still waits for its turn.
  gates[2]?.resolve();
  gates[1]?.resolve();
  await settle();
  assert.deepEqual(seen, ['begin 0']);
  gates[0]?.resolve();
  assert.deepEqual(await Promise.all(done), [0, 1, 2]);
  assert.deepEqual(seen, ['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('keys do not wait for each other', async () => {
  const turns = createKeyedQueue();
  const gate = Promise.withResolvers<string>();
  const waiting = turns('one', () => gate.promise);
  assert.equal(await turns('two', async () => 'free'), 'free');
  assert.equal(await turns('__proto__', async () => 'free too'), 'free too');
  gate.resolve('later');
  assert.equal(await waiting, 'later');
});

test('a job that fails fails for its own caller, and the next has its turn', async () => {
  const turns = createKeyedQueue();
  const gate = Promise.withResolvers<void>();
  const failing = turns('key', async () => {
    await gate.promise;
    throw new Error('first');
  });
  const throwing = turns('key', () => {
    throw new Error('second');
  });
  const last = turns('key', async () => 'third');
  gate.resolve();
  await assert.rejects(failing, /first/);
  await assert.rejects(throwing, /second/);
  assert.equal(await last, 'third');
  await assert.rejects(
    turns('key', () => {
      throw new Error('at once');
    }),
    /at once/,
  );
  assert.equal(await turns('key', async () => 'after'), 'after');
});

test('whatever the jobs do, no two of one key overlap and all have their turn', async () => {
  const job = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    waits: fc.nat(3),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 20 }), async (jobs) => {
      const turns = createKeyedQueue();
      const running = new Set<string>();
      const order = new Map<string, number[]>();
      const results = await Promise.allSettled(
        jobs.map(({ key, waits, fails }, i) =>
          turns(key, async () => {
            assert.ok(!running.has(key), 'two at once');
            running.add(key);
            order.set(key, [...(order.get(key) ?? []), i]);
            for (let wait = 0; wait < waits; wait += 1) await Promise.resolve();
            running.delete(key);
            if (fails) throw new Error(`job ${i}`);
            return i;
          }),
        ),
      );
      for (const [i, result] of results.entries()) {
        if (jobs[i]?.fails) {
          assert.ok(result.status === 'rejected');
          assert.equal(String(result.reason), `Error: job ${i}`);
        } else assert.deepEqual(result, { status: 'fulfilled', value: i });
      }
      for (const ran of order.values())
        assert.deepEqual(
          ran,
          ran.toSorted((a, b) => a - b),
        );
    }),
  );
});

test('a key that is done with is forgotten', async (context) => {
  // The one map that is ever given such a key: what it holds afterwards is what would grow.
  const keptIn = new Set<Map<unknown, unknown>>();
  const realSet = Map.prototype.set;
  context.mock.method(
    Map.prototype,
    'set',
    function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
      if (typeof key === 'string' && key.startsWith('turn ')) keptIn.add(this);
      return realSet.call(this, key, value);
    },
  );
  const turns = createKeyedQueue();
  for (let i = 0; i < 50; i += 1) {
    await Promise.allSettled([
      turns(`turn ${i}`, () => Promise.resolve()),
      turns(`turn ${i}`, () => Promise.reject(new Error('fails'))),
      turns(`turn ${i}`, () => Promise.resolve()),
    ]);
  }
  context.mock.restoreAll();
  assert.deepEqual(
    [...keptIn].map((map) => map.size),
    [0],
  );
});
