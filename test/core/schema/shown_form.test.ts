// What answers show of requests: each whole number in the one form that decoders declare.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonObject } from '../../../src/core/schema/json.ts';
import { decimal, list, object, optional, text } from '../../../src/core/schema/schema.ts';
import { compileShownForm } from '../../../src/core/schema/shown_form.ts';
import { compileValidator } from '../../../src/core/schema/validator.ts';
import { schemas } from './random_schemas.ts';

const bounds = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const keys = object({
  length: optional(decimal(bounds, 'number')),
  name: text({ maximum: 10 }),
  keys: list(object({ seconds: optional(decimal(bounds)), name: text({ maximum: 10 }) })),
});

test('whole numbers are shown as their schema says, everything else as it was sent', () => {
  const show = compileShownForm(keys);
  const shown = {
    length: 24,
    name: '12',
    keys: [{ seconds: '900', name: '1' }, { name: '2' }, { seconds: '0', name: '' }],
  };
  for (const sent of [
    shown,
    {
      length: '24',
      name: '12',
      keys: [{ seconds: 900, name: '1' }, { name: '2' }, { seconds: 0, name: '' }],
    },
  ]) {
    const before = structuredClone(sent);
    assert.deepEqual(show(sent), shown);
    assert.deepEqual(Object.keys(show(sent)), Object.keys(sent), 'in the order that was sent');
    assert.deepEqual(sent, before, 'what was sent is left as it is');
  }
  assert.deepEqual(show({ name: 'x', keys: [] }), { name: 'x', keys: [] });
});

test('the greatest number keeps all its digits in both forms', () => {
  const both = object({ asText: decimal(bounds), asNumber: decimal(bounds, 'number') });
  const greatest = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(compileShownForm(both)({ asText: greatest, asNumber: String(greatest) }), {
    asText: String(greatest),
    asNumber: greatest,
  });
});

test('of any schema, what is shown is valid, the same number, and shown as it is', () => {
  fc.assert(
    fc.property(
      schemas.chain(({ schema, json }) => fc.tuple(fc.constant(schema), json)),
      ([schema, sent]) => {
        const wrapped = object({ member: schema });
        const validate = compileValidator(wrapped);
        const value = { member: sent };
        try {
          validate(value, '');
        } catch {
          // Only what is valid is ever shown.
          return;
        }
        const shown = compileShownForm(wrapped)(value);
        assert(isJsonObject(shown));
        validate(shown, '');
        assert.deepEqual(compileShownForm(wrapped)(shown), shown);
        assert.equal(withoutQuotes(shown), withoutQuotes(value));
      },
    ),
  );
});

/** The JSON text in which a number and the text of it look alike. */
function withoutQuotes(value: object): string {
  return JSON.stringify(value, (_, part) => (Object.is(part, -0) ? 0 : part)).replaceAll('"', '');
}
