// Builds schemas as plain objects of JSON Schema with the types of typebox. Loading typebox itself took a
// tenth of the enclave's start and a sixth of its heap for these few lines.

import type {
  TArray,
  TBoolean,
  TInteger,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnsafe,
} from 'typebox';

type Members = Readonly<Record<string, unknown>>;

/** Schemas of optional members. */
const optionals = new WeakSet<object>();
/** Optional schemas whose empty text counts as absent. */
const blankables = new WeakSet<object>();

/** Returns a schema of any kind, whose values have the type `Value`. */
export function unsafeSchema<Value>(members: Members): TUnsafe<Value> {
  return { ...members } as unknown as TUnsafe<Value>;
}

export function stringSchema(members: Members = {}): TString {
  return { type: 'string', ...members } as unknown as TString;
}

export function integerSchema(members: Members = {}): TInteger {
  return { type: 'integer', ...members } as unknown as TInteger;
}

export function booleanSchema(): TBoolean {
  return { type: 'boolean' } as unknown as TBoolean;
}

export function arraySchema<S extends TSchema>(items: S, members: Members = {}): TArray<S> {
  return { type: 'array', items, ...members } as unknown as TArray<S>;
}

/** Returns a copy of a schema for an optional member. */
export function optionalSchema<S extends TSchema>(schema: S): TOptional<S> {
  const copy = { ...schema } as unknown as TOptional<S>;
  optionals.add(copy);
  return copy;
}

/** Like `optionalSchema`; an empty text counts as absent. */
export function blankableSchema<S extends TSchema>(schema: S): TOptional<S> {
  const copy = optionalSchema(schema);
  blankables.add(copy);
  return copy;
}

/** Returns true if an empty text counts as absent for this schema. */
export const isBlankable = (schema: object): boolean => blankables.has(schema);

/** Returns an object schema whose `required` lists the members that are not optional, if there are any. */
export function objectSchema<P extends TProperties>(properties: P, members: Members): TObject<P> {
  const required = Object.keys(properties).filter((name) => {
    const schema = properties[name];
    return schema !== undefined && !optionals.has(schema);
  });
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties,
    ...members,
  } as unknown as TObject<P>;
}
