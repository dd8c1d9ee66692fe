import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finish } from '../../../src/core/base/steps.ts';
import { jsonCounts, parsedJson } from '../../../src/core/schema/json.ts';
import { charactersOfPart, parsedJsonInSteps } from '../../../src/core/schema/long_json.ts';

/** Parses a text; strings of more characters than `long` count as long. */
function parsed(text: string, long: number = charactersOfPart) {
  const { longStrings } = jsonCounts(text, Number.POSITIVE_INFINITY, long);
  return finish(parsedJsonInSteps(text, longStrings));
}

test('parsedJsonInSteps returns the value of JSON.parse', () => {
  const unit = fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u20ac', '\u{1f600}', '/');
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constant(null),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.string({ unit }),
      fc.array(tie('value')),
      fc.dictionary(fc.string({ maxLength: 5 }), tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(json, fc.nat(8), (value, long) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parsed(text, Math.max(long, 5)), JSON.parse(text));
    }),
  );
});

test('parsedJsonInSteps accepts what JSON.parse accepts, after any change of a text', () => {
  const texts = [
    '{"a":"long","b":["x","yyyyyyyy",{"a longer name":"\\ud8000","c":"q\\"uo\\\\"}],"d":null}',
    '["aaaaaaaaaa","\\u0041bbbb",{"k":"vvvvvvvv"}]',
    '"a long string"',
    '{"a longer name":{"another name":"a long value"},"e":"s"}',
  ];
  const inserted = [
    '',
    '"',
    '\\',
    '\\"',
    '\\u',
    '\\ud800',
    '\ud800',
    ':',
    ',',
    '{',
    '}',
    '[',
    ']',
    '0',
  ];
  const change = fc.record({
    at: fc.nat(100),
    removed: fc.nat(2),
    text: fc.constantFrom(...inserted),
  });
  const changes = fc.array(change, { maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...texts), changes, fc.nat(8), (from, list, long) => {
      const text = list.reduce(
        (sum, { at, removed, text }) => sum.slice(0, at) + text + sum.slice(at + removed),
        from,
      );
      assert.deepEqual(parsed(text, long), parsedJson(text));
    }),
    { numRuns: 2_000 },
  );
});

test('a part never ends inside an escape sequence', () => {
  const escapes = ['\\u20ac', '\\\\', '\\"', '\\n', '\\ud83d\\ude00', '\\\\\\\\u0041'];
  for (const sequence of escapes) {
    for (let before = 0; before < 14; before += 1) {
      const start = 'a'.repeat(charactersOfPart - before);
      const text = `{"a":["${start}${sequence.repeat(3)}${'b'.repeat(20)}"],"c":1}`;
      assert.deepEqual(parsed(text), JSON.parse(text));
    }
  }
});

test('invalid JSON in or around a long string is undefined', () => {
  const long = 'a'.repeat(charactersOfPart + 1);
  for (const text of [
    `{"a":"${long}\n"}`,
    `{"a":"${long}\\x"}`,
    `{"a":"${long}`,
    `{"a":"${long}\\"}`,
    `{"a":"${long}",}`,
    `{"a":"${long}\\u12"}`,
    `"${long}`,
    `"${long}\\`,
  ]) {
    assert.equal(parsed(text), undefined, text.slice(-8));
  }
});

test('a text with a placeholder of its own keeps it', () => {
  const long = 'a'.repeat(charactersOfPart + 1);
  for (const text of [
    `{"a":"${long}","b":"\\ud8000"}`,
    `{"b":"\\uD800\\ud8000","a":"${long}","\\ud800":"\ud800\\ud800\\uD8000"}`,
    `{"a":"${long}","b":["\\ud8001","\\ud800\\udc00","\\\\ud8000"]}`,
    `{"a":"${long}","a":"\\ud8000"}`,
    `{"a":1,"__proto__":"${long}"}`,
  ]) {
    assert.deepEqual(parsed(text), JSON.parse(text));
  }
  assert.deepEqual(Object.keys(parsed(`{"__proto__":"${long}"}`) as object), ['__proto__']);
});

test('each part of a long string is a step', () => {
  const text = `{"a":"${'a'.repeat(4 * charactersOfPart)}"}`;
  const { longStrings } = jsonCounts(text, 10, charactersOfPart);
  assert.equal([...parsedJsonInSteps(text, longStrings)].length, 5);
});
