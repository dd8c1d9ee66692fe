import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/core/errors/errors.ts';
import {
  type ChangeLines,
  createChangeLines,
  type EndTurn,
  type LinePlace,
  lineBounds,
  type Rank,
} from '../../src/pipeline/change_lines.ts';

const place = (userId: string, rank: Rank = 'users', source = ''): LinePlace => ({
  rank,
  userId,
  source,
});

/** Waits until all pending promises have settled. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

/**
 * Waits in line under a name, with a turn that ends at once; collects names in the order of their turns.
 */
function waitAs(name: string, at: LinePlace, lines: ChangeLines, seen: string[]): Promise<void> {
  return lines.wait('organization', at).then((end) => {
    seen.push(name);
    end();
  });
}

function takeTurn(lines: ChangeLines): EndTurn {
  const end = lines.take('organization');
  assert.ok(end !== undefined);
  return end;
}

test('one request at a time has the turn of an organization', async () => {
  const lines = createChangeLines(() => 0);
  const end = takeTurn(lines);
  assert.equal(lines.take('organization'), undefined);
  const other = lines.take('__proto__');
  assert.ok(other !== undefined, 'organizations do not wait for each other');
  const seen: string[] = [];
  const waiting = waitAs('next', place('user'), lines, seen);
  await settle();
  assert.deepEqual(seen, []);
  end();
  assert.equal(lines.take('organization'), undefined, 'a newcomer does not overtake');
  await waiting;
  assert.deepEqual(seen, ['next']);
  takeTurn(lines)();
});

test('requests of one user keep their order, and users take turns', async () => {
  const lines = createChangeLines(() => 0);
  const end = takeTurn(lines);
  const seen: string[] = [];
  const all = [1, 2, 3, 4].map((i) => waitAs(`a${i}`, place('a'), lines, seen));
  all.push(waitAs('b1', place('b'), lines, seen), waitAs('b2', place('b'), lines, seen));
  end();
  await Promise.all(all);
  assert.deepEqual(seen, ['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
});

test('the root quorum goes before 500 requests of a user, and no rank waits for ever', async () => {
  const lines = createChangeLines(() => 0);
  const end = takeTurn(lines);
  const seen: string[] = [];
  const all = [];
  for (let i = 0; i < 500; i += 1) all.push(waitAs('user', place('user'), lines, seen));
  for (let i = 0; i < 8; i += 1) all.push(waitAs('root', place('root', 'first'), lines, seen));
  end();
  await Promise.all(all);
  assert.equal(seen[0], 'root');
  assert.deepEqual(seen.slice(0, 9).join(' '), 'root root root user root root root user root');
});

test('strangers have a line apart, in which their sources take turns', async () => {
  const lines = createChangeLines(() => 0);
  const end = takeTurn(lines);
  const seen: string[] = [];
  const all = [];
  for (let i = 0; i < 20; i += 1) {
    all.push(waitAs('flood', place('proxy', 'strangers', '192.0.2.1'), lines, seen));
  }
  all.push(waitAs('person', place('proxy', 'strangers', '192.0.2.2'), lines, seen));
  all.push(waitAs('user', place('user'), lines, seen));
  end();
  await Promise.all(all);
  assert.deepEqual(seen.slice(0, 4), ['user', 'flood', 'person', 'flood']);
});

test('a line is bounded per user, and a full one blocks no other user', async () => {
  const lines = createChangeLines(() => 0);
  const end = takeTurn(lines);
  const seen: string[] = [];
  const all: Promise<void>[] = [];
  for (let i = 0; i < lineBounds.waitingOfUser; i += 1) {
    all.push(waitAs('a', place('a'), lines, seen));
  }
  const isOverloaded = (error: unknown) =>
    error instanceof ServiceError && error.code === 'overloaded';
  await assert.rejects(lines.wait('organization', place('a')), isOverloaded);
  for (let i = 0; i < lineBounds.waitingOfStrangers; i += 1) {
    all.push(waitAs('s', place('proxy', 'strangers', `192.0.2.${i % 2}`), lines, seen));
  }
  const third = place('proxy', 'strangers', '192.0.2.9');
  await assert.rejects(lines.wait('organization', third), isOverloaded);
  all.push(waitAs('b', place('b'), lines, seen), waitAs('r', place('r', 'first'), lines, seen));
  end();
  await Promise.all(all);
  assert.equal(seen[0], 'r');
  assert.ok(seen.indexOf('b') <= 4);
  assert.equal(seen.length, lineBounds.waitingOfUser + lineBounds.waitingOfStrangers + 2);
});

test('each request has exactly one turn, and no two turns overlap', async () => {
  const request = fc.record({
    user: fc.constantFrom('a', 'b', 'c'),
    rank: fc.constantFrom<Rank[]>('first', 'users', 'strangers'),
    source: fc.constantFrom('', 'x'),
    waits: fc.nat(3),
    endsTwice: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 20 }), async (requests) => {
      const lines = createChangeLines(() => 0);
      let running = 0;
      let turns = 0;
      await Promise.all(
        requests.map(async ({ user, rank, source, waits, endsTwice }) => {
          const end = await lines.wait('organization', place(user, rank, source));
          running += 1;
          turns += 1;
          assert.equal(running, 1, 'two at once');
          for (let wait = 0; wait < waits; wait += 1) await Promise.resolve();
          running -= 1;
          end();
          if (endsTwice) end();
        }),
      );
      assert.equal(turns, requests.length);
      takeTurn(lines)();
    }),
  );
});

test('an empty line is deleted', async (context) => {
  // Only one map gets such a name as a key, so its size shows a leak.
  const keptIn = new Set<Map<unknown, unknown>>();
  const realSet = Map.prototype.set;
  context.mock.method(
    Map.prototype,
    'set',
    function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
      if (typeof key === 'string' && key.startsWith('line ')) keptIn.add(this);
      return realSet.call(this, key, value);
    },
  );
  const lines = createChangeLines(() => 0);
  for (let i = 0; i < 50; i += 1) {
    const turns = [0, 1, 2].map(async () => {
      const end = await lines.wait(`line ${i}`, place('user'));
      end();
    });
    await Promise.all(turns);
  }
  context.mock.restoreAll();
  assert.deepEqual(
    [...keptIn].map((map) => map.size),
    [0],
  );
});

test('waits are counted by rank', async () => {
  let now = 1_000;
  const lines = createChangeLines(() => now);
  const end = takeTurn(lines);
  const first = lines.wait('organization', place('root', 'first'));
  const stranger = lines.wait('organization', place('proxy', 'strangers', 'source'));
  const none = { waiting: 0, ended: 0, waitedMs: 0 };
  const waits = { waiting: 1, ended: 0, waitedMs: 0 };
  assert.deepEqual(lines.waits(), { first: waits, users: none, strangers: waits });
  now += 30;
  end();
  const endFirst = await first;
  const waited = { waiting: 0, ended: 1, waitedMs: 30 };
  assert.deepEqual(lines.waits(), { first: waited, users: none, strangers: waits });
  now += 5;
  endFirst();
  (await stranger)();
  assert.deepEqual(lines.waits().strangers, { ...waited, waitedMs: 35 });
});
