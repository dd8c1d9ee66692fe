// Builds the parameters of an operation from flags, paths and files.

import { readSource } from '../files/inputs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chosen } from '../words/choices.ts';
import { type Failure, usage } from '../words/failures.ts';
import { didYouMean } from '../words/names.ts';
import type { JsonSchema } from '../words/operations.ts';

type Given = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/**
 * Returns the parameters: `--params` first, then `--param NAME=VALUE`, then the flags for single members.
 * Converts each value to the type in the schema. Throws `usage` for a value of another type.
 */
export async function readParameters(
  schema: JsonSchema,
  members: Readonly<Record<string, string>>,
  options: Given,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const parameters = await wholeBody(options['params'], terminal);
  for (const assignment of listOf(options['param'])) setPath(parameters, schema, assignment);
  for (const [flag, member] of Object.entries(members)) {
    const value = options[flag];
    // A required list without a value is empty.
    if (isUnset(value) && isNeededList(schema, member)) parameters[member] ??= [];
    if (isUnset(value)) continue;
    const of = schema.properties?.[member] ?? {};
    parameters[member] = Array.isArray(value)
      ? value
      : asSchemaWants(String(value), of, `--${flag}`);
  }
  return parameters;
}

const isUnset = (value: Given[string]): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

const isNeededList = ({ properties, required }: JsonSchema, member: string): boolean =>
  properties?.[member]?.type === 'array' && (required ?? []).includes(member);

/** Returns example parameters: every required member, with a placeholder of its type. */
export function exampleOf(schema: JsonSchema): unknown {
  const [type] = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (schema['const'] !== undefined) return schema['const'];
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
  }
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items)];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 0;
  return `<${schema.title ?? 'text'}>`;
}

async function wholeBody(
  source: Given[string],
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  if (typeof source !== 'string') return {};
  const bytes = await readSource(source, terminal);
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw usage(`--params ${source} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  throw usage(`--params ${source} is not a JSON object`);
}

const listOf = (value: Given[string]): readonly string[] => (Array.isArray(value) ? value : []);

/** Sets one member by its path. Numbers select the items of lists. */
function setPath(target: Record<string, unknown>, schema: JsonSchema, assignment: string): void {
  const at = assignment.indexOf('=');
  if (at < 1) throw usage(`--param ${assignment} is not NAME=VALUE`);
  const path = assignment.slice(0, at).split('.');
  let place: unknown = target;
  let of: JsonSchema = schema;
  for (const [depth, step] of path.entries()) {
    of = childOf(of, step, path);
    const isLast = depth === path.length - 1;
    const next = isLast ? asSchemaWants(assignment.slice(at + 1), of, path.join('.')) : undefined;
    place = enter(place, step, next, of, path);
  }
}

function childOf(
  { properties, items }: JsonSchema,
  step: string,
  path: readonly string[],
): JsonSchema {
  if (items !== undefined && /^\d{1,4}$/.test(step)) return items;
  const child =
    properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : undefined;
  if (child === undefined) throw unknownMember(path, step, properties);
  return child;
}

function unknownMember(
  path: readonly string[],
  step: string,
  properties: JsonSchema['properties'],
): Failure {
  const names = Object.keys(properties ?? {});
  const expected = names.length === 0 ? 'a number of a list' : names.join(', ');
  const meant = didYouMean(step, names);
  return usage(`--param ${path.join('.')}: there is no ${step}${meant}`, `Expected ${expected}.`);
}

/** Returns the value at a step: `next` if given, else the existing value, else a new object or list. */
function enter(
  place: unknown,
  step: string,
  next: unknown,
  of: JsonSchema,
  path: readonly string[],
): unknown {
  const fresh = () => (of.items === undefined ? {} : []);
  if (Array.isArray(place)) {
    const index = Number(step);
    if (index > place.length)
      throw usage(
        `--param ${path.join('.')}: index ${step} is too large: the next is ${place.length}`,
      );
    place[index] = next ?? place[index] ?? fresh();
    return place[index];
  }
  if (typeof place !== 'object' || place === null) {
    throw usage(`--param ${path.join('.')}: the value above ${step} is not an object`);
  }
  const members: Record<string, unknown> = place as Record<string, unknown>;
  const present = Object.hasOwn(members, step) ? members[step] : undefined;
  members[step] = next ?? present ?? fresh();
  return members[step];
}

/** Converts a text to the type in the schema. */
function asSchemaWants(text: string, { type, enum: known }: JsonSchema, name: string): unknown {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (known !== undefined) {
    return chosen(Object.fromEntries(known.map((each) => [each, each])), text, name);
  }
  if (types.includes('string')) return text;
  if (types.includes('boolean')) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw usage(`${name} is true or false, not "${text}"`);
  }
  if (types.includes('integer') || types.includes('number')) {
    if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
    throw usage(`${name} is a number, not "${text}"`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${name} takes JSON, and "${text}" is not JSON`);
  }
}
