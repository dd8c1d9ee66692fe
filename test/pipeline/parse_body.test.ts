// The first check of a body, at its bounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { Json } from '../../src/core/schema/json.ts';
import {
  maximumDepth,
  maximumNameCharacters,
  maximumValues,
  parseBody,
  parseBodyInParts,
} from '../../src/pipeline/parse_body.ts';

const listOf = (items: number) => JSON.stringify({ a: new Array(items).fill(0) });

/** Returns JSON of this depth, including the outer object. */
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test('a body with the maximum of values and depth is read, and one more is refused', () => {
  // The object, its list and the commas between the items count.
  assert.ok(parseBody(utf8(listOf(maximumValues - 2))));
  assert.throws(() => parseBody(utf8(listOf(maximumValues - 1))), /more than 20000 values/);
  assert.ok(parseBody(utf8(nested(maximumDepth))));
  assert.throws(() => parseBody(utf8(nested(maximumDepth + 1))), /nested more than 32 deep/);
});

test('names of the maximum length are read, and longer ones are refused', () => {
  const named = (characters: number) =>
    utf8(JSON.stringify({ a: { ['n'.repeat(characters - 2)]: 'value' }, b: 1 }));
  assert.ok(parseBody(named(maximumNameCharacters)));
  const refusal = /the names of members have more than 262144 characters/;
  assert.throws(() => parseBody(named(maximumNameCharacters + 1)), refusal);
});

test('a large body is parsed in steps, with the same result and the same refusals', async () => {
  const paused: number[] = [];
  const inParts = (text: string) => parseBodyInParts(utf8(text), async () => void paused.push(1));
  const long = '\u20ac"\n'.repeat(100_000);
  const text = JSON.stringify({ a: null, parameters: { payload: long, others: [long, 1] } });
  assert.deepEqual(await inParts(text), parseBody(utf8(text)));
  assert.ok(paused.length >= 10);
  for (const [refused, message] of [
    [`{"a":"${'a'.repeat(300_000)}","a":1}`, /`a` is there twice/],
    [`{"a":"${'a'.repeat(300_000)}","b":"\\ud8000"}`, /lone surrogate/],
    [`{"a":"${'a'.repeat(300_000)}\\ud800"}`, /lone surrogate/],
    [`{"a":"${'a'.repeat(300_000)}"`, /expected JSON/],
    [`["${'a'.repeat(300_000)}"]`, /expected a JSON object/],
  ] as const) {
    await assert.rejects(async () => inParts(refused), message);
  }
});

test('a refused body names the expected form', () => {
  const refused: readonly (readonly [Uint8Array, RegExp])[] = [
    [Uint8Array.of(0xff), /expected UTF-8/],
    [utf8('{'), /expected JSON$|expected JSON[^ ]/],
    [utf8('[]'), /expected a JSON object/],
    [utf8('"{}"'), /expected a JSON object/],
    [utf8('null'), /expected a JSON object/],
    [utf8('{"a":"\\ud800"}'), /lone surrogate/],
    [utf8('{"\\udc00":1}'), /lone surrogate/],
    [utf8('{"a":{"b":1,"b":1}}'), /`a\.b` is there twice/],
  ];
  for (const [body, message] of refused) assert.throws(() => parseBody(body), message);
});

test('null members are removed at every level', () => {
  const given = { a: null, b: { c: null, d: [{ e: null, f: 1 }, null] }, g: {} };
  const expected: Json = { b: { d: [{ f: 1 }, null] }, g: {} };
  assert.deepEqual(parseBody(utf8(JSON.stringify(given))), expected);
  assert.deepEqual(parseBody(utf8('{"a":{"b":{"c":null}}}')), { a: { b: {} } });
});
