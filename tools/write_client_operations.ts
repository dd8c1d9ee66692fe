// Writes the types of the client library from the table of operations, with the sentences of the
// vocabulary. It writes only types, and the few names that cannot be derived from an operation's name.

import { resources } from '../src/operations/index.ts';
import { namedShapes } from '../src/operations/openapi/components.ts';
import { described } from '../src/operations/vocabulary/index.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/** Types shared by answers: enumerations and shapes by name, and shape names by their content. */
type SharedTypes = {
  readonly enumerations: Map<string, string>;
  readonly names: ReadonlyMap<string, string>;
};

const commentColumns = 105;
const namedEnumerationFrom = 5;

/** Returns the source of `src/client/generated/operations.ts`. */
export function clientOperations(): string {
  const named = Object.entries<Schema>(namedShapes());
  const names = new Map(named.map(([name, schema]) => [formOf(schema), name]));
  const shared: SharedTypes = { enumerations: new Map(), names };
  const shapes = new Map<string, string>();
  const shape = (name: string, schema: unknown): string => {
    shapes.set(name, interfaceOf(name, schema as Schema, shared));
    return name;
  };
  for (const [name, schema] of named) shape(name, schema);

  const all = Object.values(resources);
  const submits = all.flatMap(({ activities }) =>
    Object.entries(activities).map(([name, { summary, parameters, result }]) => {
      const from = shape(`${pascal(name)}Parameters`, described(name, 'parameters', parameters));
      const to = shape(`${pascal(name)}Result`, described(name, 'result', result));
      return `${comment(summary, '  ')}  readonly ${name}: Call<${from}, ${to}>;\n`;
    }),
  );
  const queries = all.flatMap((resource) =>
    Object.entries(resource.queries).map(([name, { summary, body, response }]) => {
      const from = shape(`${pascal(name)}Body`, described(name, 'body', body));
      const to = shape(`${pascal(name)}Response`, described(name, 'response', response));
      return `${comment(summary, '  ')}  readonly ${name}: Call<${from}, ${to}>;\n`;
    }),
  );
  return [
    '// Written by `npm run docs` from the operations of the service: do not edit.\n',
    'type Call<Parameters, Result> = { readonly parameters: Parameters; readonly result: Result };\n',
    `/** Operations that change or sign something. */\nexport interface Submits {\n${submits.join('')}}\n`,
    `/** Operations that read. */\nexport interface Queries {\n${queries.join('')}}\n`,
    versionsOfNames(),
    ...[...shared.enumerations].map(([name, values]) => `export type ${name} =${values};\n`),
    ...shapes.values(),
  ].join('\n');
}

/**
 * Returns the table of names that cannot be derived, unlike `ACTIVITY_TYPE_CREATE_WALLET` and
 * `createWalletResult`.
 */
function versionsOfNames(): string {
  const rows = Object.values(resources).flatMap(({ activities }) =>
    Object.entries(activities).flatMap(([name, { wire }]) => {
      const [, type = '', typeVersion = ''] =
        /^ACTIVITY_TYPE_(.*?)(?:_V(\d))?$/.exec(wire.type) ?? [];
      const [, result = '', resultVersion = ''] = /^(.*?)Result(?:V(\d))?$/.exec(wire.result) ?? [];
      const own = type.toLowerCase();
      if (result !== `${pascal(own).slice(0, 1).toLowerCase()}${pascal(own).slice(1)}`) {
        throw new Error(`the result of ${name} is not named after its type`);
      }
      const row = [typeVersion, resultVersion, own === name ? '' : own].join(' ').trimEnd();
      return row === '' ? [] : [`  ${name}: '${row}',\n`];
    }),
  );
  return `/** Versions of an operation's type and result that have any, and their name if it is another. */
export const versions: Readonly<Record<string, string>> = {
${rows.sort().join('')}};
`;
}

function interfaceOf(name: string, schema: Schema, shared: SharedTypes): string {
  const members = membersOf(schema, '', shared);
  // An interface without members would accept any value.
  if (members === '') return `export type ${name} = Readonly<Record<never, never>>;\n`;
  const same = shared.names.get(formOf(schema));
  if (same !== undefined && same !== name) return `export type ${name} = ${same};\n`;
  return `export interface ${name} {\n${members}}\n`;
}

function membersOf(schema: Schema, indent: string, shared: SharedTypes): string {
  const inner = `${indent}  `;
  return Object.entries(schema.properties ?? {})
    .map(([name, member]) => {
      const isRequired = schema.required?.includes(name) ?? false;
      const type = typeOf(member, inner, shared);
      const { title = name, description = '' } = member;
      const text = comment(`${title}: ${description}`, inner);
      return `${text}${inner}readonly ${name}${isRequired ? `: ${type}` : `?: ${type} | undefined`};\n`;
    })
    .join('');
}

function typeOf(schema: Schema, indent: string, shared: SharedTypes): string {
  if (schema.enum !== undefined) return enumerationOf(schema.enum, shared.enumerations);
  if (schema.items !== undefined) return listOf(typeOf(schema.items, indent, shared));
  if (Array.isArray(schema.type)) return 'string | number';
  if (schema.properties !== undefined) {
    const name = shared.names.get(formOf(schema));
    if (name !== undefined) return name;
    const members = membersOf(schema, indent, shared);
    return members === '' ? 'Readonly<Record<never, never>>' : `{\n${members}${indent}}`;
  }
  return plainTypes[String(schema.type)] ?? refuse(schema);
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  object: 'Readonly<Record<string, unknown>>',
};

const refuse = (schema: Schema): never => {
  throw new Error(`no type of the client for ${JSON.stringify(schema)}`);
};

const listOf = (type: string): string =>
  /^[\w<>]+$|^\{[\s\S]*\}$/.test(type) ? `readonly ${type}[]` : `readonly (${type})[]`;

/** Returns a key that is equal for schemas with the same TypeScript type. Ignores bounds and descriptions. */
function formOf({ type, enum: values, properties, required = [], items }: Schema): string {
  const members = Object.entries(properties ?? {})
    .map(([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${formOf(member)}`)
    .sort();
  return JSON.stringify([type, values, properties && members, items && formOf(items)]);
}

/** Short enumerations are written in place; long ones get a name from their common prefix. */
function enumerationOf(values: readonly string[], enumerations: Map<string, string>): string {
  const literals = values.map((value) => `'${value}'`);
  const name = pascal(commonPrefix(values).toLowerCase());
  if (values.length < namedEnumerationFrom || name === '') return literals.join(' | ');
  const text = `\n  | ${literals.join('\n  | ')}`;
  for (let suffix = 0; ; suffix += 1) {
    const candidate = suffix === 0 ? name : `${name}${suffix + 1}`;
    const taken = enumerations.get(candidate);
    if (taken !== undefined && taken !== text) continue;
    enumerations.set(candidate, text);
    return candidate;
  }
}

function commonPrefix(values: readonly string[]): string {
  const words = values.map((value) => value.split('_'));
  const [first = []] = words;
  const length = first.findIndex((word, i) => words.some((other) => other[i] !== word));
  return first.slice(0, Math.max(length, 0)).join('_');
}

/** Returns a doc comment within the maximum width. */
function comment(text: string, indent: string): string {
  const lines = [''];
  for (const word of text.replaceAll('*/', '* /').split(/\s+/)) {
    const last = lines.length - 1;
    const longer = `${lines[last]} ${word}`;
    if (indent.length + longer.length + 3 > commentColumns && lines[last] !== '')
      lines.push(` ${word}`);
    else lines[last] = longer;
  }
  return lines.length === 1 && indent.length + (lines[0]?.length ?? 0) + 6 <= commentColumns
    ? `${indent}/**${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join('')}${indent} */\n`;
}

function pascal(name: string): string {
  return name
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}
