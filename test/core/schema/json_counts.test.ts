import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonCounts, placeOfRepetition } from '../../../src/core/schema/json.ts';
import { jsonCountsInSteps } from '../../../src/core/schema/json_counts.ts';

const noMaximum = Number.POSITIVE_INFINITY;

/** Counts values and members of the parsed value. */
function countOf(value: unknown): { values: number; members: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, members: 0 };
  const inner: unknown[] = Object.values(value);
  return inner
    .map(countOf)
    .reduce(
      (sum, each) => ({ values: sum.values + each.values, members: sum.members + each.members }),
      { values: 1, members: Array.isArray(value) ? 0 : inner.length },
    );
}

/** Long strings with characters that end strings, escape them or separate values. */
const longText = fc
  .array(fc.constantFrom('"', '\\', ',', ':', '{', '[', 'a', '\n'), { maxLength: 200 })
  .map((characters) => characters.join(''));

test('members are counted exactly and values from above, for any strings', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      longText,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(longText, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const counts = jsonCounts(JSON.stringify(value), noMaximum);
      const exact = countOf(value);
      assert.equal(counts.members, exact.members);
      assert.ok(counts.values >= exact.values && counts.values <= 2 * exact.values);
    }),
  );
});

test('a count in steps of any length equals the count in one step', () => {
  const texts = fc.array(longText, { maxLength: 6 }).map((all) => JSON.stringify({ all }));
  const bounds = { maximumValues: 40, longCharacters: 20, maximumNames: 100 };
  let several = 0;
  fc.assert(
    fc.property(fc.oneof(texts, longText), fc.integer({ min: 1, max: 150 }), (text, step) => {
      const steps = jsonCountsInSteps(text, bounds, step);
      let next = steps.next();
      for (; next.done !== true; next = steps.next()) several += 1;
      const { values, members, nameCharacters, longStrings } = next.value;
      const whole = jsonCounts(text, 40, 20, 100);
      assert.deepEqual(
        { values, members, nameCharacters, longStrings },
        {
          values: whole.values,
          members: whole.members,
          nameCharacters: whole.nameCharacters,
          longStrings: whole.longStrings,
        },
      );
    }),
  );
  assert.ok(several > 0);
});

test('each part of a long string ends a step, whatever it escapes', () => {
  const bounds = { maximumValues: noMaximum, longCharacters: 1_000, maximumNames: noMaximum };
  for (const character of ['"', '\\', 'a', 'a"', 'a\\']) {
    const text = JSON.stringify([character.repeat(20_000), 1]);
    const steps = jsonCountsInSteps(text, bounds, 1_000);
    let count = 1;
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) count += 1;
    assert.ok(count >= 20, `${character}: ${count} steps`);
    const end = text.length - 3;
    assert.deepEqual(next.value.longStrings, [{ start: 1, end }]);
  }
});

test('a text that ends inside of a string ends the count', () => {
  for (const inside of [
    '',
    'a'.repeat(100),
    '\\',
    '\\"',
    `${'a'.repeat(100)}\\"`,
    '\\'.repeat(101),
  ]) {
    const { values, members } = jsonCounts(`["${inside}`, noMaximum);
    assert.deepEqual({ values, members }, { values: 2, members: 0 });
  }
});

test('a repeated name is found behind long strings', () => {
  const long = `${'\\\\'.repeat(50)}\\"${','.repeat(100)}`;
  assert.equal(placeOfRepetition(`{"a":"${long}","b":1,"a":2}`), 'a');
  assert.equal(placeOfRepetition(`{"a":"${long}","b":1}`), undefined);
});

test('long strings and the length of names are found', () => {
  const text = '{"abc":"defgh","i":["jklmno"]}';
  const { longStrings, nameCharacters } = jsonCounts(text, noMaximum, 4);
  assert.deepEqual(
    longStrings.map(({ start, end }) => text.slice(start, end)),
    ['"defgh"', '"jklmno"'],
  );
  assert.equal(nameCharacters, 4);
});
