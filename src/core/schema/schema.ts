// The kinds of schemas in requests and answers. They are JSON Schema with the types of typebox, so that
// types, validation and the OpenAPI document have one source.

import type { Static, TProperties, TSchema, TUnsafe } from 'typebox';
import {
  arraySchema,
  blankableSchema,
  booleanSchema,
  integerSchema,
  objectSchema,
  optionalSchema,
  stringSchema,
  unsafeSchema,
} from './builders.ts';
import { formatNames } from './formats.ts';

export type { TSchema, TUnsafe };

/** The value of a schema, deeply readonly. */
export type ValueOfSchema<S extends TSchema> = DeepReadonly<Static<S>>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Default maximum number of items in a list of a request. */
export const maximumListItems = 100;
/** Maximum length of a name. */
export const maximumLabelCharacters = 255;

/** An object with exactly these members; others are rejected by name. */
export function object<P extends TProperties>(members: P, description?: string) {
  return objectSchema(members, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

/** An optional member. `null` counts as absent. */
export const optional = <S extends TSchema>(schema: S) => optionalSchema(schema);

/**
 * An optional member. An empty text counts as absent too, since clients whose types have defaults send it.
 */
export const optionalOrEmpty = <S extends TSchema>(schema: S) => blankableSchema(schema);

/** A text of bounded length. */
export function text(bounds: { maximum: number; minimum?: number; description?: string }) {
  return stringSchema({
    minLength: bounds.minimum ?? 0,
    maxLength: bounds.maximum,
    ...(bounds.description === undefined ? {} : { description: bounds.description }),
  });
}

/** Marks a member that authorizes its bearer; activities show its digest. */
export const bearerMark = 'x-bearer';

/** A text that authorizes its bearer: a token or a code. */
export function bearerText(bounds: { maximum: number; minimum?: number }) {
  return stringSchema({
    minLength: bounds.minimum ?? 0,
    maxLength: bounds.maximum,
    [bearerMark]: true,
  });
}

/** A name: 1 to 255 characters without control characters. */
export const label = () =>
  stringSchema({ minLength: 1, maxLength: maximumLabelCharacters, format: formatNames.label });

/** A UUID in any letter case. */
export const uuid = (description?: string) =>
  stringSchema({
    format: formatNames.uuid,
    maxLength: 36,
    ...(description === undefined ? {} : { description }),
  });

/** The fingerprint of an activity in a vote, in any letter case. */
export const fingerprint = () =>
  stringSchema({
    format: formatNames.fingerprint,
    minLength: 71,
    maxLength: 71,
    description: 'Fingerprint of the activity: `sha256:` and 64 hex digits.',
  });

/** One of the given texts. */
export function oneOf<const Names extends readonly string[]>(names: Names) {
  return unsafeSchema<Names[number]>({ type: 'string', enum: [...names] });
}

/** A list of at most `maximum` items. */
export function list<S extends TSchema>(
  item: S,
  bounds: { maximum?: number; minimum?: number } = {},
) {
  return arraySchema(item, {
    minItems: bounds.minimum ?? 0,
    maxItems: bounds.maximum ?? maximumListItems,
  });
}

export const boolean = () => booleanSchema();

/** A bounded JSON number without a fraction. */
export const integer = (bounds: { minimum: number; maximum: number }) => integerSchema(bounds);

/**
 * A whole number as decimal text or JSON number, because clients send 64-bit numbers as text. Read it with
 * `numberOf`.
 */
export function decimal(bounds: { minimum: number; maximum: number }) {
  return unsafeSchema<string | number>({
    type: ['string', 'integer'],
    format: formatNames.decimal,
    ...bounds,
  });
}

/** Returns the number of a validated `decimal`. */
export const numberOf = (value: string | number): number => Number(value);

/** Seconds since 1970 and nanoseconds, both as text. */
export const timestamp = () =>
  object({ seconds: text({ maximum: 20 }), nanos: text({ maximum: 9 }) });

/** The members with both times of a record. */
export const timestamps = () => ({ createdAt: timestamp(), updatedAt: timestamp() });

/** Any object; only in answers, whose members are described elsewhere. */
export const anyObject = (description?: string) =>
  unsafeSchema<Record<string, unknown>>({
    type: 'object',
    ...(description === undefined ? {} : { description }),
  });

/** A text without a stated bound; only in answers. */
export const answerText = () => stringSchema();
/** A text in an answer that authorizes its bearer. */
export const answerBearer = () => stringSchema({ [bearerMark]: true });
export const answerInteger = () => integerSchema();
export const answerList = <S extends TSchema>(item: S) => arraySchema(item);
