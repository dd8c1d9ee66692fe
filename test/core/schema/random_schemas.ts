// Random schemas of the kinds in requests, each with the equivalent schema of another library, and random
// JSON that is often nearly valid.

import fc from 'fast-check';
import Type, { type TProperties, type TSchema } from 'typebox';
import { formats } from '../../../src/core/schema/formats.ts';
import type { Json } from '../../../src/core/schema/json.ts';
import {
  boolean,
  decimal,
  integer,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamp,
  uuid,
} from '../../../src/core/schema/schema.ts';

export type SchemaCase = {
  readonly schema: TSchema;
  /** The equivalent schema of the other library. */
  readonly oracle: TSchema;
  /** JSON that is often valid. */
  readonly json: fc.Arbitrary<Json>;
};

/** Names of members without those of Object.prototype, since the other library reads inherited members. */
const memberNames = ['name', 'userIds', '0', 'a b'] as const;
/** Names of members including those of Object.prototype. */
const names = fc.constantFrom(...memberNames, 'constructor', 'toString', '__proto__');
const leaf = fc.oneof(
  fc.constantFrom<Json>(null, true, false, '', '0', '-1', '007', '1e3', 'A', 'ACTIVITY', 1.5, -0),
  fc.integer({ min: -20, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.uuid(),
  fc.nat(300).map((length) => 'x'.repeat(length)),
);

/** Shallow JSON of any form. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('json')), { maxLength: 4 }).map(asObject),
  ),
})).json;

const shortText = fc.tuple(fc.nat(3), fc.nat(4)).map(([minimum, more]): SchemaCase => {
  const schema = text({ minimum, maximum: minimum + more });
  const oracle = Type.String({ minLength: minimum, maxLength: minimum + more });
  return { schema, oracle, json: fc.string({ unit: 'binary', maxLength: 8 }) };
});

const bounds = fc
  .tuple(fc.integer({ min: -10, max: 10 }), fc.nat(10))
  .map(([minimum, more]) => ({ minimum, maximum: minimum + more }));

const integers = bounds.map((within): SchemaCase => {
  const schema = integer(within);
  return { schema, oracle: Type.Integer(within), json: fc.integer({ min: -20, max: 30 }) };
});

/** A number or its decimal text: a union of both in the other library. */
const decimals = bounds.map((within): SchemaCase => {
  const inText = (value: string) =>
    /^(0|[1-9][0-9]*)$/.test(value) &&
    Number(value) >= within.minimum &&
    Number(value) <= within.maximum;
  return {
    schema: decimal(within),
    oracle: Type.Union([Type.Integer(within), Type.Refine(Type.String(), inText)]),
    json: fc.integer({ min: -20, max: 30 }).chain((n) => fc.constantFrom<Json>(n, `${n}`, `0${n}`)),
  };
});

const enumerations = fc
  .uniqueArray(fc.constantFrom('A', 'B', 'constructor', '__proto__', ''), { minLength: 1 })
  .map((choices): SchemaCase => {
    const schema = oneOf(choices);
    const oracle = Type.Union(choices.map((choice) => Type.Literal(choice)));
    return { schema, oracle, json: fc.constantFrom(...choices, 'C') };
  });

const fixed: readonly SchemaCase[] = [
  { schema: boolean(), oracle: Type.Boolean(), json: fc.boolean() },
  {
    schema: uuid(),
    oracle: Type.Refine(Type.String(), formats.uuid.matches),
    json: fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    ),
  },
  {
    schema: label(),
    oracle: Type.Refine(
      Type.String(),
      (value) => [...value].length <= 255 && formats.label.matches(value),
    ),
    json: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.constantFrom(' ', '\t', 'x'.repeat(255), 'x'.repeat(256), '😀'.repeat(255)),
    ),
  },
  {
    schema: timestamp(),
    oracle: Type.Object(
      { seconds: Type.String({ maxLength: 20 }), nanos: Type.String({ maxLength: 9 }) },
      { additionalProperties: false },
    ),
    json: fc.record({
      seconds: fc.string({ maxLength: 21 }),
      nanos: fc.constantFrom('0', '0123456789'),
    }),
  },
];

/** A schema with at most three levels. */
export const schemas: fc.Arbitrary<SchemaCase> = fc.letrec<{ schema: SchemaCase }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    shortText,
    integers,
    decimals,
    enumerations,
    fc.constantFrom(...fixed),
    fc.tuple(tie('schema'), fc.nat(2), fc.nat(3)).map(listOf),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...memberNames), tie('schema'), fc.boolean()), {
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map(objectOf),
  ),
})).schema;

function listOf([item, minimum, more]: [SchemaCase, number, number]): SchemaCase {
  const maximum = minimum + more;
  return {
    schema: list(item.schema, { minimum, maximum }),
    oracle: Type.Array(item.oracle, { minItems: minimum, maxItems: maximum }),
    json: fc.array(mostly(item.json), { maxLength: 6 }),
  };
}

function objectOf(members: readonly [string, SchemaCase, boolean][]): SchemaCase {
  const of = (
    pick: (member: SchemaCase) => TSchema,
    optionalOf: (schema: TSchema) => TSchema,
  ): TProperties =>
    Object.fromEntries(
      members.map(([name, member, isOptional]) => [
        name,
        isOptional ? optionalOf(pick(member)) : pick(member),
      ]),
    );
  const sent = members.map(([name, member]) =>
    fc.option(
      mostly(member.json).map((value): readonly [string, Json] => [name, value]),
      { nil: undefined, freq: 8 },
    ),
  );
  const others = fc.option(fc.tuple(names, anyJson), { nil: undefined, freq: 1 });
  return {
    schema: object(of(({ schema }) => schema, optional)),
    oracle: Type.Object(
      of(({ oracle }) => oracle, Type.Optional),
      { additionalProperties: false },
    ),
    json: fc
      .tuple(fc.tuple(...sent), fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, others))
      .map(([known, other]) => asObject([...known, other].filter((pair) => pair !== undefined))),
  };
}

/** Generates valid JSON most of the time. */
function mostly(json: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 12, arbitrary: json }, { weight: 1, arbitrary: anyJson });
}

/** Creates an object like JSON.parse, with `__proto__` as an ordinary member. */
function asObject(members: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries(members);
}
