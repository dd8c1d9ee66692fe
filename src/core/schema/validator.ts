// Checks JSON values against schemas by closures that are created once per schema. The enclave runs without
// code generation, and the schema library's interpreted check takes 20 µs instead of one
// (docs/decisions/0002-own-validator.md). Each violation names its member and the expected value.

import { nearestName } from '../base/edit_distance.ts';
import { rowOf } from '../base/table.ts';
import { type FieldViolation, ServiceError } from '../errors/errors.ts';
import { formats } from './formats.ts';
import { isJsonObject, type Json } from './json.ts';
import type { TSchema } from './schema.ts';

/** Maximum number of members in an error. */
const maximumViolations = 20;

type Violation = FieldViolation & {
  readonly code: 'field_missing' | 'field_unknown' | 'field_invalid';
  /** The hint after the name of an unknown member. */
  readonly hint?: string;
};
type Check = (value: Json | undefined, path: string, found: Violation[]) => void;

/** A compiled schema: returns nothing or refuses with every violation (at most 20). */
export type Validator = (value: Json | undefined, path: string) => void;

/**
 * Compiles a schema. The validator raises `field_missing`, `field_unknown` or `field_invalid` after the first
 * violation; `path` is the path of the value in messages, '' for the whole body.
 */
export function compileValidator(schema: TSchema): Validator {
  const check = compile(schema as JsonSchema);
  return (value, path) => {
    const found: Violation[] = [];
    check(value, path, found);
    const first = found[0];
    if (first === undefined) return;
    throw new ServiceError(
      first.code,
      { field: first.field, reason: first.description, hint: first.hint ?? '' },
      found.map(({ field, description }) => ({ field, description })),
    );
  };
}

const validators = new WeakMap<TSchema, Validator>();

/** Returns the validator of a schema, compiled on first use. */
export function validatorOf(schema: TSchema): Validator {
  return validators.getOrInsertComputed(schema, compileValidator);
}

type JsonSchema = {
  type?: string | string[];
  enum?: string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
};

function compile(schema: JsonSchema): Check {
  if (schema.enum !== undefined) return compileEnumeration(schema.enum);
  switch (Array.isArray(schema.type) ? 'decimal' : schema.type) {
    case 'object':
      return compileObject(schema);
    case 'array':
      return compileList(schema);
    case 'string':
      return compileText(schema);
    case 'integer':
      return compileInteger(schema);
    case 'decimal':
      return compileDecimal(schema);
    case 'boolean':
      return (value, path, found) => {
        if (typeof value !== 'boolean')
          invalid(found, path, `expected true or false, ${got(value)}`);
      };
    default:
      throw new Error(`no check for schema type ${String(schema.type)}`);
  }
}

function compileObject(schema: JsonSchema): Check {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    check: compile(member),
    required: schema.required?.includes(name) ?? false,
  }));
  const names = new Set(members.map(({ name }) => name));
  return (value, path, found) => {
    if (!isJsonObject(value)) {
      invalid(found, path, `expected an object, ${got(value)}`);
      return;
    }
    const prefix = path === '' ? '' : `${path}.`;
    for (const name in value) {
      if (found.length >= maximumViolations) return;
      if (!names.has(name)) {
        const field = `${prefix}${shown(name)}`;
        // Comparing names is slow, so only the first unknown member gets a hint.
        const isFirst = found.every(({ code }) => code !== 'field_unknown');
        const hint = isFirst ? hintFor(name, names) : '';
        found.push({ code: 'field_unknown', field, description: `unknown field${hint}`, hint });
      }
    }
    for (const { name, check, required } of members) {
      if (found.length >= maximumViolations) return;
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined) check(member, `${prefix}${name}`, found);
      else if (required) {
        const field = `${prefix}${name}`;
        found.push({ code: 'field_missing', field, description: 'missing field' });
      }
    }
  };
}

/** Schemas are public, so a suggestion reveals nothing to strangers. */
function hintFor(name: string, members: Iterable<string>): string {
  const meant = nearestName(name, members);
  return meant === undefined ? '' : `, did you mean \`${meant}\`?`;
}

function compileList(schema: JsonSchema): Check {
  const item = compile(schema.items ?? {});
  const minimum = schema.minItems ?? 0;
  const maximum = schema.maxItems ?? Number.MAX_SAFE_INTEGER;
  return (value, path, found) => {
    if (!Array.isArray(value)) {
      invalid(found, path, `expected a list, ${got(value)}`);
      return;
    }
    if (value.length < minimum || value.length > maximum) {
      invalid(found, path, `expected ${minimum} to ${maximum} items, got ${value.length}`);
      return;
    }
    for (let i = 0; i < value.length && found.length < maximumViolations; i += 1) {
      item(value[i], `${path}.${i}`, found);
    }
  };
}

function compileText(schema: JsonSchema): Check {
  const minimum = schema.minLength ?? 0;
  const maximum = schema.maxLength ?? Number.MAX_SAFE_INTEGER;
  const format = schema.format === undefined ? undefined : rowOf(formats, schema.format);
  return (value, path, found) => {
    if (typeof value !== 'string') {
      invalid(found, path, `expected text, ${got(value)}`);
      return;
    }
    if (format?.decidesLength !== true && !isWithin(value, minimum, maximum)) {
      const expected = `expected ${minimum} to ${maximum} characters`;
      invalid(found, path, `${expected}, got ${charactersOf(value)}`);
    } else if (format !== undefined && !format.matches(value)) {
      invalid(found, path, `expected ${format.expected}, got \`${shown(value)}\``);
    }
  };
}

function compileInteger(schema: JsonSchema): Check {
  const checkBounds = compileBounds(schema);
  return (value, path, found) => {
    if (typeof value === 'number' && Number.isInteger(value)) checkBounds(`${value}`, path, found);
    else invalid(found, path, `expected a whole number, ${got(value)}`);
  };
}

function compileDecimal(schema: JsonSchema): Check {
  const checkNumber = compileInteger(schema);
  const checkBounds = compileBounds(schema);
  return (value, path, found) => {
    if (typeof value === 'number') checkNumber(value, path, found);
    else if (typeof value === 'string' && formats.decimal.matches(value)) {
      checkBounds(value, path, found);
    } else invalid(found, path, `expected ${formats.decimal.expected}, ${got(value)}`);
  };
}

/** Compiles the bounds of a decimal text, which may have more digits than a JavaScript number. */
function compileBounds(schema: JsonSchema): (digits: string, ...at: [string, Violation[]]) => void {
  const minimum = schema.minimum ?? Number.MIN_SAFE_INTEGER;
  const maximum = schema.maximum ?? Number.MAX_SAFE_INTEGER;
  return (digits, path, found) => {
    const number = Number(digits);
    if (number < minimum || number > maximum) {
      const expected = `expected a number from ${minimum} to ${maximum}`;
      invalid(found, path, `${expected}, got ${shown(digits)}`);
    }
  };
}

function compileEnumeration(names: readonly string[]): Check {
  const known = new Set(names);
  const expected =
    names.length === 1 ? `expected ${names[0]}` : `expected one of ${names.join(', ')}`;
  return (value, path, found) => {
    if (typeof value !== 'string' || !known.has(value)) {
      invalid(found, path, `${expected}, ${got(value)}`);
    }
  };
}

function invalid(found: Violation[], field: string, description: string): void {
  found.push({ code: 'field_invalid', field: field === '' ? 'body' : field, description });
}

function got(value: Json | undefined): string {
  if (value === undefined) return 'got nothing';
  if (value === null) return 'got null';
  if (Array.isArray(value)) return 'got a list';
  if (typeof value === 'object') return 'got an object';
  return `got \`${shown(String(value))}\``;
}

/** A character has one or two code units, so most texts need no count. */
function isWithin(text: string, minimum: number, maximum: number): boolean {
  if (text.length <= maximum && text.length >= 2 * minimum) return true;
  const length = charactersOf(text);
  return length >= minimum && length <= maximum;
}

/** Returns the number of code points, which JSON Schema counts. */
function charactersOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Returns the client's text, shortened for messages. */
function shown(words: string): string {
  if (words.length <= 64) return words;
  const cut = words.slice(0, 64);
  // Decoders would reject half a surrogate pair.
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
