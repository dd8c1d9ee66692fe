// A round lists a bounded number of sends; over several rounds, every send gets its turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTurns, type Group } from '../../../src/core/sends/turns.ts';

const turnsOf = (maximum: number, sizeOf: (item: string) => number = () => 1) =>
  createTurns<string>({ idOf: (item) => item, sizeOf, maximum });

const groupOf = (id: string, ...items: readonly string[]): Group<string> => ({ id, items });

test('a round with room lists all items, one of each group before the second of any', () => {
  const groups = [groupOf('a', 'a1', 'a2', 'a3'), groupOf('b', 'b1'), groupOf('c', 'c1', 'c2')];
  assert.deepEqual(turnsOf(6)(groups), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('an item larger than a round is listed alone, and the others after it', () => {
  const turns = turnsOf(1, (item) => item.length);
  const groups = [groupOf('a', 'large'), groupOf('b', 'small')];
  assert.deepEqual(
    [turns(groups), turns(groups), turns(groups)],
    [['large'], ['small'], ['large']],
  );
});

test('a group with a new item in each round does not overtake waiting items', () => {
  const turns = turnsOf(1);
  const listed: string[] = [];
  for (let look = 0; look < 6; look += 1) {
    const others = Array.from({ length: look + 1 }, (_, i) => groupOf(`new ${i}`, `sent by ${i}`));
    listed.push(...turns([...others, groupOf('waits', 'waiting')]));
  }
  assert(listed.indexOf('waiting') <= 1, listed.join());
});

test('every item is listed eventually', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5 }), (lengths, maximum) => {
      const groups = lengths.map((length, group) =>
        groupOf(`${group}`, ...Array.from({ length }, (_, item) => `${group}/${item}`)),
      );
      const all = groups.flatMap(({ items }) => items);
      const turns = turnsOf(maximum);
      const seen = new Set<string>();
      const enough = groups.length * Math.max(...lengths, 1);
      for (let look = 0; look < enough; look += 1) {
        const listed = turns(groups);
        assert.equal(new Set(listed).size, listed.length);
        assert(listed.length <= maximum && (listed.length > 0 || all.length === 0));
        for (const item of listed) seen.add(item);
      }
      assert.deepEqual([...seen].sort(), all.toSorted());
    }),
  );
});
