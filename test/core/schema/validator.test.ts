import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import Value from 'typebox/value';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { Json } from '../../../src/core/schema/json.ts';
import {
  anyObject,
  boolean,
  decimal,
  integer,
  label,
  list,
  maximumListItems,
  numberOf,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../../src/core/schema/schema.ts';
import { compileValidator } from '../../../src/core/schema/validator.ts';
import { anyJson, schemas } from './random_schemas.ts';

/** Returns the refusal of a value, or undefined if it is valid; all other errors fail the test. */
function refusalOf(schema: TSchema, value: Json | undefined, path = ''): ServiceError | undefined {
  try {
    compileValidator(schema)(value, path);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }
}

const inherited = Object.getOwnPropertyNames(Object.prototype);

test('the validator accepts exactly the values that the schema library accepts', () => {
  const sample = schemas.chain(({ schema, oracle, json }) =>
    fc.record({
      schema: fc.constant(schema),
      oracle: fc.constant(oracle),
      value: fc.oneof({ weight: 4, arbitrary: json }, { weight: 1, arbitrary: anyJson }),
    }),
  );
  let valid = 0;
  let invalid = 0;
  fc.assert(
    fc.property(sample, ({ schema, oracle, value }) => {
      const refusal = refusalOf(schema, value);
      const isValid = Value.Check(oracle, value);
      assert.equal(refusal === undefined, isValid, refusal?.message ?? 'not refused');
      if (isValid) valid += 1;
      else invalid += 1;
    }),
    { numRuns: 2000, seed: 26 },
  );
  // Both outcomes occurred often.
  assert.ok(valid > 300 && invalid > 300, `${valid} valid, ${invalid} not`);
});

test('a refusal names 1 to 20 members, with the first in its sentence', () => {
  const sample = schemas.chain(({ schema, json }) =>
    fc.tuple(fc.constant(schema), fc.oneof(json, anyJson)),
  );
  fc.assert(
    fc.property(sample, ([schema, value]) => {
      const refusal = refusalOf(schema, value, 'parameters');
      if (refusal === undefined) return;
      const { code, details, fieldViolations, message } = refusal;
      assert.ok(['field_missing', 'field_unknown', 'field_invalid'].includes(code));
      assert.ok(fieldViolations.length >= 1 && fieldViolations.length <= 20);
      const [first] = fieldViolations;
      assert.equal(details['field'], first?.field);
      assert.ok(message.includes(`\`${first?.field}\``));
      for (const { field, description } of fieldViolations) {
        assert.match(field, /^parameters($|\.)/);
        assert.notEqual(description, '');
        assert.ok(field.isWellFormed() && description.isWellFormed(), 'can be sent');
      }
    }),
    { numRuns: 1000 },
  );
});

const kinds: readonly {
  readonly kind: string;
  readonly schema: TSchema;
  readonly valid: readonly Json[];
  readonly invalid: readonly (readonly [Json, string])[];
}[] = [
  {
    kind: 'text',
    schema: text({ minimum: 1, maximum: 3 }),
    valid: ['a', 'abc', '😀😀😀', '\u0000'],
    invalid: [
      ['', 'expected 1 to 3 characters, got 0'],
      ['abcd', 'expected 1 to 3 characters, got 4'],
      ['😀😀😀😀', 'expected 1 to 3 characters, got 4'],
      [1, 'expected text, got `1`'],
      [null, 'expected text, got null'],
      [true, 'expected text, got `true`'],
      [['a'], 'expected text, got a list'],
      [{}, 'expected text, got an object'],
    ],
  },
  {
    kind: 'label',
    schema: label(),
    valid: ['a', ' a ', 'ü'.repeat(255), '😀'.repeat(255)],
    invalid: [
      ['', 'expected 1 to 255 characters, got 0'],
      ['ü'.repeat(256), 'expected 1 to 255 characters, got 256'],
      ['a\u0007', 'expected visible text without control characters, got `a\u0007`'],
      ['   ', 'expected visible text without control characters, got `   `'],
    ],
  },
  {
    kind: 'uuid',
    schema: uuid(),
    valid: ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000A'],
    invalid: [
      ['01900000', 'expected a UUID, got `01900000`'],
      // The message names the type and not the length, since a wrong length usually means another kind of
      // value.
      [
        '01900000-0000-7000-8000-00000000000a0',
        'expected a UUID, got `01900000-0000-7000-8000-00000000000a0`',
      ],
      ['', 'expected a UUID, got ``'],
      ['ü'.repeat(5000), `expected a UUID, got \`${'ü'.repeat(64)}…\``],
    ],
  },
  {
    kind: 'one of many',
    schema: oneOf(['A', 'B']),
    valid: ['A', 'B'],
    invalid: [
      ['a', 'expected one of A, B, got `a`'],
      ['constructor', 'expected one of A, B, got `constructor`'],
      [['A'], 'expected one of A, B, got a list'],
      ['x'.repeat(100), `expected one of A, B, got \`${'x'.repeat(64)}…\``],
    ],
  },
  {
    kind: 'one of one',
    schema: oneOf(['A']),
    valid: ['A'],
    invalid: [['B', 'expected A, got `B`']],
  },
  {
    kind: 'list',
    schema: list(boolean(), { minimum: 1, maximum: 2 }),
    valid: [[true], [true, false]],
    invalid: [
      [[], 'expected 1 to 2 items, got 0'],
      [[true, true, true], 'expected 1 to 2 items, got 3'],
      [{ 0: true, length: 1 }, 'expected a list, got an object'],
    ],
  },
  {
    kind: 'list without a bound of its own',
    schema: list(boolean()),
    valid: [[], Array<boolean>(maximumListItems).fill(true)],
    invalid: [
      [Array<boolean>(maximumListItems + 1).fill(true), 'expected 0 to 100 items, got 101'],
    ],
  },
  {
    kind: 'boolean',
    schema: boolean(),
    valid: [true, false],
    invalid: [
      ['true', 'expected true or false, got `true`'],
      [0, 'expected true or false, got `0`'],
    ],
  },
  {
    kind: 'integer',
    schema: integer({ minimum: 0, maximum: 10 }),
    valid: [0, -0, 10, 1.0],
    invalid: [
      [1.5, 'expected a whole number, got `1.5`'],
      ['1', 'expected a whole number, got `1`'],
      [-1, 'expected a number from 0 to 10, got -1'],
      [2 ** 53, 'expected a number from 0 to 10, got 9007199254740992'],
      [1e300, 'expected a number from 0 to 10, got 1e+300'],
    ],
  },
  {
    kind: 'decimal',
    schema: decimal({ minimum: 1, maximum: 100 }),
    valid: [1, '1', 100, '100'],
    invalid: [
      ['0', 'expected a number from 1 to 100, got 0'],
      [101, 'expected a number from 1 to 100, got 101'],
      [2 ** 53, 'expected a number from 1 to 100, got 9007199254740992'],
      ['9223372036854775807', 'expected a number from 1 to 100, got 9223372036854775807'],
      ['9'.repeat(400), `expected a number from 1 to 100, got ${'9'.repeat(64)}…`],
      ['01', 'expected a whole number in decimal digits, got `01`'],
      ['1.0', 'expected a whole number in decimal digits, got `1.0`'],
      ['1e1', 'expected a whole number in decimal digits, got `1e1`'],
      [' 1', 'expected a whole number in decimal digits, got ` 1`'],
      ['1\n', 'expected a whole number in decimal digits, got `1\n`'],
      ['٣', 'expected a whole number in decimal digits, got `٣`'],
      [true, 'expected a whole number in decimal digits, got `true`'],
      [1.5, 'expected a whole number, got `1.5`'],
    ],
  },
  {
    kind: 'object',
    schema: object({ a: boolean() }),
    valid: [{ a: true }],
    invalid: [
      [[], 'expected an object, got a list'],
      [null, 'expected an object, got null'],
      ['{}', 'expected an object, got `{}`'],
    ],
  },
];

for (const { kind, schema, valid, invalid } of kinds) {
  test(`${kind}: accepts its values, and describes each refused one`, () => {
    for (const value of valid) assert.equal(refusalOf(schema, value), undefined);
    for (const [value, description] of invalid) {
      assert.deepEqual(refusalOf(schema, value, 'member')?.fieldViolations, [
        { field: 'member', description },
      ]);
    }
    const missing = refusalOf(object({ member: schema }), {});
    assert.equal(missing?.code, 'field_missing');
    assert.equal(refusalOf(object({ member: optional(schema) }), {}), undefined);
  });
}

test('members are named by their path', () => {
  const schema = object({
    users: list(object({ userName: label(), tags: optional(list(uuid())) })),
    nested: object({ deep: object({ wanted: boolean() }) }),
  });
  const value = {
    users: [{ userName: 'ok', tags: ['x'] }, { usrName: 'typed wrongly' }],
    nested: { deep: {} },
  };
  const fields = (path: string) =>
    refusalOf(schema, value, path)?.fieldViolations.map(({ field }) => field);
  const expected = ['users.0.tags.0', 'users.1.usrName', 'users.1.userName', 'nested.deep.wanted'];
  assert.deepEqual(fields(''), expected);
  assert.deepEqual(
    fields('parameters'),
    expected.map((field) => `parameters.${field}`),
  );
  assert.equal(refusalOf(schema, 1)?.details['field'], 'body');
  assert.equal(
    refusalOf(schema, undefined)?.message,
    'invalid request body: `body`: expected an object, got nothing',
  );
});

test('codes distinguish missing, unknown and wrong members', () => {
  const schema = object({ wanted: boolean() });
  const of = (value: Json) => {
    const refusal = refusalOf(schema, value);
    return [refusal?.code, refusal?.message];
  };
  assert.deepEqual(of({}), ['field_missing', 'invalid request body: missing field `wanted`']);
  assert.deepEqual(of({ wanted: true, other: 1 }), [
    'field_unknown',
    'invalid request body: unknown field `other`',
  ]);
  assert.deepEqual(of({ wanted: 1 }), [
    'field_invalid',
    'invalid request body: `wanted`: expected true or false, got `1`',
  ]);
});

test('an unknown member is refused with the probably intended name', () => {
  const schema = object({
    walletName: text({ maximum: 9 }),
    accounts: list(object({ path: text({ maximum: 9 }) })),
  });
  const refusal = refusalOf(schema, { walletNam: 'x', acounts: [] }, 'parameters');
  assert.equal(
    refusal?.message,
    'invalid request body: unknown field `parameters.walletNam`, did you mean `walletName`?',
  );
  // Only the first unknown member gets a suggestion.
  assert.deepEqual(refusal?.fieldViolations.slice(0, 2), [
    {
      field: 'parameters.walletNam',
      description: 'unknown field, did you mean `walletName`?',
    },
    { field: 'parameters.acounts', description: 'unknown field' },
  ]);
  const nested = refusalOf(schema, { walletName: 'x', accounts: [{ path: 'm', Path: 'm' }] });
  assert.match(nested?.message ?? '', /`accounts\.0\.Path`, did you mean `path`\?$/);
});

test('at most 20 wrong members are named', () => {
  const wrong = Array<number>(100).fill(1);
  const unknown = Object.fromEntries(wrong.map((value, i) => [`unknown${i}`, value]));
  const members = Object.fromEntries(wrong.map((_, i) => [`member${i}`, boolean()]));
  const cases: readonly (readonly [TSchema, Json])[] = [
    [list(boolean()), wrong],
    [object({}), unknown],
    [object(members), {}],
    [object({ ...members, inner: list(boolean()) }), { ...unknown, inner: wrong }],
    [list(object({ inner: list(boolean()) })), wrong.map(() => ({ inner: wrong }))],
  ];
  for (const [schema, value] of cases) {
    assert.equal(refusalOf(schema, value, 'parameters')?.fieldViolations.length, 20);
  }
});

test('names of Object.prototype are ordinary members', () => {
  const none = object({});
  for (const name of inherited) {
    const value: Json = JSON.parse(`{${JSON.stringify(name)}: true}`);
    const refusal = refusalOf(none, value);
    assert.equal(refusal?.code, 'field_unknown', name);
    assert.equal(refusal.details['field'], name);
  }
  for (const name of inherited.filter((known) => known !== '__proto__')) {
    const schema = object({ [name]: boolean() });
    assert.equal(refusalOf(schema, {})?.code, 'field_missing', name);
    assert.equal(refusalOf(schema, { [name]: true }), undefined);
  }
  assert.equal(
    refusalOf(object({ a: optional(boolean()) }), JSON.parse('{"__proto__":{"a":1}}'))?.code,
    'field_unknown',
  );
});

test('a quoted value is cut, but never within a character', () => {
  const long = `${'x'.repeat(63)}😀${'y'.repeat(100)}`;
  const quoted = refusalOf(oneOf(['A']), long)?.fieldViolations[0]?.description ?? '';
  assert.ok(quoted.isWellFormed());
  assert.match(quoted, /^expected A, got `x{63}.*…`$/u);
  const field = String(refusalOf(object({}), { [long]: 1 })?.details['field']);
  assert.ok(field.isWellFormed());
  assert.ok(field.length <= 66);
});

test('an unsupported kind of schema throws at once', () => {
  for (const schema of [Type.Null(), Type.Union([Type.String()]), Type.Number()]) {
    assert.throws(() => compileValidator(schema), /no check for schema type/);
  }
  assert.throws(() => compileValidator(object({ inner: Type.Null() })), /no check/);
  assert.equal(refusalOf(anyObject('for answers'), { a: 1 })?.code, 'field_unknown');
});

test('a decimal has the same value as a number and as a text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (number) => {
      assert.equal(numberOf(`${number}`), number);
      assert.equal(numberOf(number), number);
    }),
  );
});
