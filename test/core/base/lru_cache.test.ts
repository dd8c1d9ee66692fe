import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createGroupedCache,
  createRecentCache,
  createWeighedCache,
} from '../../../src/core/base/lru_cache.ts';

type Value = { readonly serial: number };

const names = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor');
const steps = fc.array(
  fc.oneof(
    fc.record({ what: fc.constant('get' as const), name: names }),
    fc.record({ what: fc.constant('set' as const), name: names }),
    fc.record({ what: fc.constant('set again' as const), name: names }),
    fc.record({ what: fc.constant('clear' as const), name: names }),
  ),
  { maxLength: 60 },
);

/** A simple model: a list of pairs, the most recently used at its end. */
function createModel(maximum: number) {
  let kept: { readonly name: string; readonly value: Value }[] = [];
  const dropped: Value[] = [];
  const find = (name: string) => kept.find((pair) => pair.name === name);
  return {
    dropped,
    size: () => kept.length,
    get: (name: string) => {
      const found = find(name);
      if (found !== undefined) kept = [...kept.filter((pair) => pair !== found), found];
      return found?.value;
    },
    set: (name: string, value: Value) => {
      const before = find(name);
      if (before !== undefined && before.value !== value) dropped.push(before.value);
      kept = [...kept.filter((pair) => pair !== before), { name, value }];
      const oldest = kept[0];
      if (kept.length > maximum && oldest !== undefined) {
        dropped.push(oldest.value);
        kept = kept.slice(1);
      }
    },
    clear: () => {
      dropped.push(...kept.map(({ value }) => value));
      kept = [];
    },
  };
}

test('the cache behaves like a list in order of use', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), steps, (maximum, run) => {
      const dropped: Value[] = [];
      const cache = createRecentCache<Value>(maximum, (value) => dropped.push(value));
      const model = createModel(maximum);
      const made: Value[] = [];
      for (const { what, name } of run) {
        if (what === 'get') assert.equal(cache.get(name), model.get(name));
        else if (what === 'clear') {
          cache.clear();
          model.clear();
        } else {
          const known = what === 'set again' ? model.get(name) : undefined;
          if (known !== undefined) cache.get(name);
          const value = known ?? { serial: made.length };
          if (known === undefined) made.push(value);
          cache.set(name, value);
          model.set(name, value);
        }
        assert.deepEqual(dropped, model.dropped);
        assert.ok(made.length - dropped.length <= maximum, 'never more than the maximum');
        assert.equal(made.length - dropped.length, model.size());
      }
      cache.clear();
      // Every value is dropped exactly once.
      assert.equal(new Set(dropped).size, dropped.length);
      assert.deepEqual(new Set(dropped), new Set(made));
    }),
    { numRuns: 300 },
  );
});

test('a used cache keeps its used values', () => {
  const cache = createRecentCache<number>(3);
  for (let i = 0; i < 1000; i += 1) {
    cache.set('kept', 1);
    cache.set(`passing ${i}`, i);
    assert.equal(cache.get('kept'), 1);
  }
  assert.equal(cache.get('passing 999'), 999);
  assert.equal(cache.get('passing 900'), undefined);
});

test('a weighed cache keeps the most recently used values, up to a weight', () => {
  const cache = createWeighedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  assert.equal(cache.get('a'), 'A');
  cache.set('c', 'C', 5);
  assert.equal(cache.get('b'), undefined, 'unused for longest');
  assert.deepEqual([cache.get('a'), cache.get('c')], ['A', 'C']);
  cache.set('a', 'A2', 5);
  assert.deepEqual([cache.get('a'), cache.get('c')], ['A2', 'C']);
  cache.set('d', 'D', 11);
  assert.equal(cache.get('d'), undefined);
  assert.deepEqual([cache.get('a'), cache.get('c')], ['A2', 'C']);
  cache.set('e', 'E', 10);
  assert.deepEqual([cache.get('a'), cache.get('c'), cache.get('e')], [undefined, undefined, 'E']);
});

test('the group with the most values evicts its oldest, otherwise the least recently used group does', () => {
  const cache = createGroupedCache<string>(3, (name) => name.slice(0, 1));
  const kept = () => ['a1', 'a2', 'b1', 'c1', 'd1'].filter((name) => cache.get(name) === name);
  for (const name of ['b1', 'a1', 'a2']) cache.set(name, name);
  cache.get('a1');
  cache.set('c1', 'c1');
  assert.deepEqual(kept(), ['a1', 'b1', 'c1'], 'a2 was used before a1');
  cache.set('b1', 'b1');
  assert.deepEqual(kept(), ['a1', 'b1', 'c1'], 'the same name takes no further place');
  cache.get('a1');
  cache.set('d1', 'd1');
  assert.deepEqual(kept(), ['a1', 'c1', 'd1'], 'of four groups of one b was unused for longest');
});
