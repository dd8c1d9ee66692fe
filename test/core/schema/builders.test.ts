// Compares our builders with the library whose types they use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import {
  arraySchema,
  booleanSchema,
  integerSchema,
  objectSchema,
  optionalSchema,
  stringSchema,
  unsafeSchema,
} from '../../../src/core/schema/builders.ts';

const asJson = (value: unknown): string => JSON.stringify(value);

test('each builder returns the JSON Schema of the library, member by member', () => {
  const bounds = { minLength: 1, maxLength: 2, description: 'd' };
  const own = { type: ['string', 'integer'], format: 'decimal' };
  const pairs = [
    [stringSchema(), Type.String()],
    [stringSchema(bounds), Type.String(bounds)],
    [integerSchema({ minimum: 1 }), Type.Integer({ minimum: 1 })],
    [booleanSchema(), Type.Boolean()],
    [arraySchema(stringSchema(), { maxItems: 3 }), Type.Array(Type.String(), { maxItems: 3 })],
    [unsafeSchema(own), Type.Unsafe(own)],
    [objectSchema({}, {}), Type.Object({}, {})],
    [
      objectSchema(
        { a: stringSchema(), b: optionalSchema(integerSchema()), c: booleanSchema() },
        { additionalProperties: false },
      ),
      Type.Object(
        { a: Type.String(), b: Type.Optional(Type.Integer()), c: Type.Boolean() },
        { additionalProperties: false },
      ),
    ],
    [
      objectSchema({ b: optionalSchema(integerSchema()) }, {}),
      Type.Object({ b: Type.Optional(Type.Integer()) }),
    ],
  ];
  for (const [ours, theirs] of pairs) assert.equal(asJson(ours), asJson(theirs));
});

test('a schema that is optional in one object stays required in others', () => {
  const shared = stringSchema();
  const first = objectSchema({ shared: optionalSchema(shared) }, {});
  const second = objectSchema({ shared }, {});
  assert.deepEqual([first.required, second.required], [undefined, ['shared']]);
});
