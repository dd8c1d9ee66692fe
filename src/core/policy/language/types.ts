// The types of the language, and their compatibility.

import { namesOf, rowOf } from '../../base/table.ts';
import { assert } from '../../errors/errors.ts';
import { fieldRowOf, isStructName, type StructName, structs } from '../names/structs.ts';

/**
 * `dynamic` is a value inside a map, whose type is known at evaluation only. `wide` is the type of a literal
 * that no `int` can hold, and of a list that mixes `int` and `uint`: it is comparable with `uint` only.
 */
export type Type =
  | { readonly kind: ScalarName }
  | { readonly kind: 'list' | 'map'; readonly element: Type }
  | { readonly kind: 'struct'; readonly struct: StructName };

export type ScalarName = 'bool' | 'int' | 'uint' | 'wide' | 'string' | 'timestamp' | 'dynamic';

/** A member of a struct: its name in the facts, and its type. */
type Member = { readonly field: string; readonly type: Type };

const scalars: { readonly [name in ScalarName]: Type } = {
  bool: { kind: 'bool' },
  int: { kind: 'int' },
  uint: { kind: 'uint' },
  wide: { kind: 'wide' },
  string: { kind: 'string' },
  timestamp: { kind: 'timestamp' },
  dynamic: { kind: 'dynamic' },
};

export const { bool, int, wide, string, timestamp, dynamic } = scalars;

export const listOf = (element: Type): Type => ({ kind: 'list', element });
export const structOf = (struct: StructName): Type => ({ kind: 'struct', struct });

/** Returns the member of a struct with this name or alias; undefined if there is none. */
export function memberOf(struct: StructName, name: string): Member | undefined {
  const { chosenMembers } = structs[struct];
  if (chosenMembers !== undefined) return { field: name, type: typeOf(chosenMembers) };
  return members.get(struct)?.get(name);
}

/** Returns the fixed member names of a struct, aliases last. */
export function memberNames(struct: StructName): readonly string[] {
  return [...(members.get(struct)?.keys() ?? [])];
}

/** Returns the name of a type in the language: `list<User>`. */
export function showType(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'map':
      return `${type.kind}<${showType(type.element)}>`;
    case 'struct':
      return type.struct;
    case 'dynamic':
      return 'value of a map';
    case 'wide':
      return 'uint';
    default:
      return type.kind;
  }
}

/** Returns true if a value is, or as a map value may turn out to be, of this scalar type. */
export function mayBe(type: Type, scalar: ScalarName): boolean {
  return type.kind === scalar || type.kind === 'dynamic';
}

/** Returns true if `==` compares values of two types. */
export function areComparable(left: Type, right: Type): boolean {
  const [a, b] = [familyOf(left), familyOf(right)];
  if (a === undefined || b === undefined) return false;
  if (a === 'any' || b === 'any') return true;
  return a === b && !isIntBesideWide(left, right) && !isIntBesideWide(right, left);
}

/** Returns true if `<`, `<=`, `>` and `>=` order values of this type. */
export function isOrdered(type: Type): boolean {
  const family = familyOf(type);
  return family === 'number' || family === 'timestamp' || family === 'any';
}

/**
 * Returns the common element type of a list; undefined if the types are incompatible. A struct never becomes
 * `dynamic`, because its members would then escape the checks at save time.
 */
export function commonType(a: Type, b: Type): Type | undefined {
  if (areSame(a, b)) return a;
  if (a.kind === 'dynamic' || b.kind === 'dynamic') {
    return holdsStruct(a) || holdsStruct(b) ? undefined : dynamic;
  }
  return familyOf(a) === 'number' && familyOf(b) === 'number' ? wide : undefined;
}

function holdsStruct(type: Type): boolean {
  if (type.kind === 'list' || type.kind === 'map') return holdsStruct(type.element);
  return type.kind === 'struct';
}

const families: {
  readonly [kind in Type['kind']]?: 'bool' | 'number' | 'text' | 'timestamp' | 'any';
} = {
  bool: 'bool',
  int: 'number',
  uint: 'number',
  wide: 'number',
  string: 'text',
  timestamp: 'timestamp',
  dynamic: 'any',
};

const familyOf = (type: Type) => families[type.kind];

const isIntBesideWide = (a: Type, b: Type) => a.kind === 'int' && b.kind === 'wide';

function areSame(a: Type, b: Type): boolean {
  if (a.kind === 'struct') return b.kind === 'struct' && a.struct === b.struct;
  if (a.kind === 'list' || a.kind === 'map')
    return a.kind === b.kind && areSame(a.element, b.element);
  return a.kind === b.kind;
}

const members: ReadonlyMap<StructName, ReadonlyMap<string, Member>> = new Map(
  namesOf(structs).map((struct) => [struct, membersOf(struct)]),
);

function membersOf(struct: StructName): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>();
  const others = new Map<string, Member>();
  for (const field of Object.keys(structs[struct].fields)) {
    const row = fieldRowOf(struct, field);
    assert(row !== undefined, `${struct}.${field} has a row`);
    const member = { field, type: typeOf(row.type) };
    found.set(field, member);
    if (row.alias !== undefined) others.set(row.alias, member);
  }
  return new Map([...found, ...others]);
}

/** Parses a type of the table. */
function typeOf(notation: string): Type {
  const [, kind, element] = /^(list|map)<(.+)>$/.exec(notation) ?? [];
  if (element !== undefined) {
    return { kind: kind === 'map' ? 'map' : 'list', element: typeOf(element) };
  }
  const type = isStructName(notation) ? structOf(notation) : rowOf(scalars, notation);
  assert(type !== undefined, `${notation} is a type`);
  return type;
}
