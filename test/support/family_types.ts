// Reads the type declarations of the API family's complete client, and checks answers by them. The
// declarations are generated, so a small part of the grammar of TypeScript suffices.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type FamilyType =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'literals'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'list'; readonly item: FamilyType }
  | { readonly kind: 'reference'; readonly name: string }
  | {
      readonly kind: 'object';
      readonly members: ReadonlyMap<string, Member>;
      readonly open: boolean;
    };

type Member = { readonly isOptional: boolean; readonly type: FamilyType };

export type FamilyTypes = {
  /** The declared types by name, such as `v1Activity`. */
  readonly definitions: ReadonlyMap<string, Member>;
  /** The names of the request and of the answer, by the path of the operation. */
  readonly operations: ReadonlyMap<string, { readonly request: string; readonly answer: string }>;
};

/** Reads the declarations of `@turnkey/http`. Fails on a form that the reader does not know. */
export function readFamilyTypes(): FamilyTypes {
  const client = dirname(createRequire(import.meta.url).resolve('@turnkey/http'));
  const file = join(client, '__generated__/services/coordinator/public/v1/public_api.types.d.ts');
  const text = readFileSync(file, 'utf8');
  const names = new Map<string, { request: string; answer: string }>();
  const bodies =
    /(\w+): \{\s*parameters: \{\s*body: \{\s*body: definitions\["(\w+)"\];\s*\};\s*\};\s*responses: \{[^"]*200: \{\s*schema: definitions\["(\w+)"\]/g;
  for (const [, id = '', request = '', answer = ''] of text.matchAll(bodies))
    names.set(id, { request, answer });
  const operations = new Map<string, { request: string; answer: string }>();
  const paths = /"(\/public\/v1\/\w+\/\w+)": \{[^}]*operations\["(\w+)"\]/g;
  for (const [, path = '', id = ''] of text.matchAll(paths)) {
    const found = names.get(id);
    if (found !== undefined) operations.set(path, found);
  }
  const start = text.indexOf('export type definitions = ') + 'export type definitions = '.length;
  const root = typeOf(tokensOf(text.slice(start, text.indexOf('export type operations', start))));
  if (root.kind !== 'object') throw new Error('no definitions');
  return { definitions: root.members, operations };
}

/** The tokens of the declarations, and the position of the next one. */
type Tokens = { readonly list: readonly string[]; at: number };

function tokensOf(text: string): Tokens {
  const list = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').match(/"[^"]*"|\w+|[{}[\]:;?|&]/g);
  return { list: list ?? [], at: 0 };
}

const take = (tokens: Tokens) => tokens.list[tokens.at++] ?? '';
const next = (tokens: Tokens) => tokens.list[tokens.at] ?? '';

function skip(tokens: Tokens, ...expected: readonly string[]): void {
  for (const token of expected) {
    const found = take(tokens);
    if (found !== token) throw new Error(`expected ${token}, found ${found}`);
  }
}

function typeOf(tokens: Tokens): FamilyType {
  const parts = [partOf(tokens)];
  while (next(tokens) === '|' || next(tokens) === '&') {
    take(tokens);
    parts.push(partOf(tokens));
  }
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? { kind: 'any' };
  if (first.kind === 'literals')
    return {
      kind: 'literals',
      values: new Set(parts.flatMap((part) => (part.kind === 'literals' ? [...part.values] : []))),
    };
  // An object that has further members of any type.
  if (first.kind === 'object') return { ...first, open: true };
  throw new Error(`unknown union of ${first.kind}`);
}

const simple: Readonly<Record<string, FamilyType>> = {
  string: { kind: 'text' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  unknown: { kind: 'any' },
  // Some unions end with `null`, which is not a value of the member.
  null: { kind: 'literals', values: new Set() },
};

function partOf(tokens: Tokens): FamilyType {
  let type: FamilyType;
  const token = take(tokens);
  if (token === '{') type = objectOf(tokens);
  else if (token.startsWith('"')) type = { kind: 'literals', values: new Set([unquoted(token)]) };
  else if (token === 'definitions') {
    skip(tokens, '[');
    type = { kind: 'reference', name: unquoted(take(tokens)) };
    skip(tokens, ']');
  } else {
    const found = simple[token];
    if (found === undefined) throw new Error(`unknown type ${token}`);
    type = found;
  }
  while (next(tokens) === '[') {
    skip(tokens, '[', ']');
    type = { kind: 'list', item: type };
  }
  return type;
}

const unquoted = (token: string) => token.replaceAll('"', '');

function objectOf(tokens: Tokens): FamilyType {
  const members = new Map<string, Member>();
  let open = false;
  while (next(tokens) !== '}') {
    if (next(tokens) === '[') {
      skip(tokens, '[', 'key', ':', 'string', ']', ':');
      typeOf(tokens);
      open = true;
    } else {
      const name = unquoted(take(tokens));
      const isOptional = next(tokens) === '?';
      if (isOptional) take(tokens);
      skip(tokens, ':');
      members.set(name, { isOptional, type: typeOf(tokens) });
    }
    skip(tokens, ';');
  }
  take(tokens);
  return { kind: 'object', members, open };
}

/** A path into an answer, and the deviation from its declared type. */
export type Deviation = `${string}: ${string}`;

/**
 * Returns every place at which a value is not as the named type declares: a required member that is absent
 * or `null`, another JSON type, or a text outside of the declared list. Members that the type does not
 * declare are named as `extra`.
 */
export function deviationsFrom(
  { definitions }: FamilyTypes,
  name: string,
  value: unknown,
): readonly Deviation[] {
  const found: Deviation[] = [];
  check({ kind: 'reference', name }, value, '$');
  return found;

  function check(type: FamilyType, of: unknown, path: string): void {
    if (type.kind === 'any') return;
    if (type.kind === 'reference') {
      const definition = definitions.get(type.name);
      if (definition === undefined) throw new Error(`no type ${type.name}`);
      check(definition.type, of, path);
    } else if (type.kind === 'object') checkObject(type, of, path);
    else if (type.kind === 'list') {
      if (!Array.isArray(of)) found.push(`${path}: expected a list`);
      else for (const [i, item] of of.entries()) check(type.item, item, `${path}[${i}]`);
    } else if (type.kind === 'literals') {
      const isListed = typeof of === 'string' && type.values.has(of);
      if (!isListed) found.push(`${path}: ${JSON.stringify(of)} is not in the list`);
    } else if (typeof of !== (type.kind === 'text' ? 'string' : type.kind)) {
      found.push(`${path}: expected a ${type.kind}, found ${JSON.stringify(of)}`);
    }
  }

  function checkObject(type: FamilyType & { kind: 'object' }, of: unknown, path: string): void {
    if (typeof of !== 'object' || of === null || Array.isArray(of)) {
      found.push(`${path}: expected an object`);
      return;
    }
    const entries = new Map(Object.entries(of));
    for (const [name, member] of type.members) {
      const value = entries.get(name);
      if (value !== undefined) check(member.type, value, `${path}.${name}`);
      else if (!member.isOptional) found.push(`${path}.${name}: missing`);
    }
    if (type.open || type.members.size === 0) return;
    for (const name of entries.keys())
      if (!type.members.has(name)) found.push(`${path}.${name}: extra`);
  }
}
