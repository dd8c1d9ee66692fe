import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namesOf, rowOf, table } from '../../../src/core/base/table.ts';

const planets = table<{ moons: number; ringed?: boolean }>()({
  mars: { moons: 2 },
  earth: { moons: 1 },
  saturn: { moons: 146, ringed: true },
});

test('a row carries its own name, and names keep the order in which they were written', () => {
  assert.deepEqual({ ...planets.saturn }, { moons: 146, ringed: true, name: 'saturn' });
  assert.deepEqual(namesOf(planets), ['mars', 'earth', 'saturn']);
});

test('names of Object.prototype find no row', () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype);
  assert.ok(inherited.includes('__proto__') && inherited.includes('constructor'));
  for (const name of inherited) assert.equal(rowOf(planets, name), undefined, name);
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom(...inherited, ...namesOf(planets))),
      (name) => {
        assert.equal(
          rowOf(planets, name)?.name,
          namesOf(planets).find((known) => known === name),
        );
      },
    ),
  );
});

test('tables and their rows cannot be changed', () => {
  assert.ok(Object.isFrozen(planets));
  for (const name of namesOf(planets)) assert.ok(Object.isFrozen(planets[name]));
  assert.equal(Reflect.set(planets, 'pluto', { moons: 5 }), false);
  assert.equal(Reflect.set(planets.mars, 'moons', 3), false);
  assert.equal(planets.mars.moons, 2);
});

test('the rows that were handed in stay as they were', () => {
  const rows = { one: { value: 1 } };
  table<{ value: number }>()(rows);
  assert.deepEqual(rows, { one: { value: 1 } });
  assert.equal(Object.isFrozen(rows.one), false);
});
