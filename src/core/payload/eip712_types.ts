// The types of EIP-712 typed data: read from JSON, checked, and written in the form that is hashed.

import { type PayloadBudget, spend } from './budget.ts';
import { type IntegerRange, signedRange, unsignedRange } from './integers.ts';
import { arrayAt, memberOf, objectAt } from './json_payload.ts';
import { kindOf, quoted, refusePayload } from './refusal.ts';

/** A type and its name in the hashed text: an atomic type, a struct, or an array. */
export type TypeExpression =
  | { readonly kind: 'integer'; readonly name: string; readonly range: IntegerRange }
  | { readonly kind: 'bytes'; readonly name: string; readonly size: number | undefined }
  | { readonly kind: 'address' | 'bool' | 'string'; readonly name: string }
  | { readonly kind: 'struct'; readonly name: string }
  | {
      readonly kind: 'list';
      readonly name: string;
      readonly element: TypeExpression;
      /** Number of elements of `T[n]`; undefined for `T[]`. */
      readonly length: number | undefined;
    };

type StructMember = { readonly name: string; readonly type: TypeExpression };

/** Struct types by name, with members in declared order. */
export type StructTypes = ReadonlyMap<string, readonly StructMember[]>;

/** Bounds of the `types` of typed data. The last two bound the work of hashing the types. */
export const typeLimits = {
  structTypes: 128,
  membersOfStruct: 256,
  arrayDimensions: 32,
  nameLength: 128,
  /** Maximum total length of member names and types. */
  textLength: 32_768,
} as const;

export const domainTypeName = 'EIP712Domain';

/** Members of a domain in the order of the standard. */
export const domainMembers: readonly StructMember[] = [
  { name: 'name', type: { kind: 'string', name: 'string' } },
  { name: 'version', type: { kind: 'string', name: 'string' } },
  { name: 'chainId', type: { kind: 'integer', name: 'uint256', range: unsignedRange(256) } },
  { name: 'verifyingContract', type: { kind: 'address', name: 'address' } },
  { name: 'salt', type: { kind: 'bytes', name: 'bytes32', size: 32 } },
];

/** Members that Cosmos chains declare as strings (`"cosmos"`, `"0"`), which are hashed as declared. */
const textMembers: ReadonlySet<string> = new Set(['verifyingContract', 'salt']);

/**
 * Parses the struct types in `types`. Every used type must be atomic or declared. A declared `EIP712Domain`
 * may contain only members of the standard, in any order, with the type of the standard; two of them may be
 * strings.
 */
export function readStructTypes(value: unknown, path: string, budget: PayloadBudget): StructTypes {
  const entries = Object.entries(objectAt(value, path));
  if (entries.length > typeLimits.structTypes) {
    refusePayload(path, `expected at most ${typeLimits.structTypes} types, got ${entries.length}`);
  }
  const names = new Set(entries.map(([name]) => name));
  const spent = { textLength: 0 };
  const structTypes = new Map<string, readonly StructMember[]>();
  for (const [name, members] of entries) {
    requireName(name, path);
    if (atomicTypes.has(name) || name === 'int' || name === 'uint') {
      refusePayload(path, `${quoted(name)} is an atomic type and cannot be declared`);
    }
    const rows = readMembers(members, names, spent, `${path}.${name}`);
    spend(budget, 'members', rows.length, `${path}.${name}`);
    structTypes.set(name, rows);
  }
  spend(budget, 'typeText', structTypes.size * spent.textLength, path);
  for (const member of structTypes.get(domainTypeName) ?? []) {
    requireDomainMember(member, `${path}.${domainTypeName}`);
  }
  return structTypes;
}

/**
 * Returns the text of a struct type that EIP-712 hashes (`encodeType`): the struct, then every struct that it
 * refers to, sorted by name.
 */
export function encodeType(name: string, structTypes: StructTypes): string {
  const reached = new Set<string>();
  reach(name, structTypes, reached);
  reached.delete(name);
  return [name, ...[...reached].sort()]
    .map((struct) => {
      const members = structTypes.get(struct) ?? [];
      return `${struct}(${members.map((member) => `${member.type.name} ${member.name}`).join(',')})`;
    })
    .join('');
}

// Names contain only these characters: they are unambiguous in the hashed text, unlike space, comma and
// brackets, and sort alike everywhere. The colon is allowed because an exchange names its types
// `Namespace:Type`.
const namePattern = /^[A-Za-z_$][A-Za-z0-9_$:]*$/;
const arrayPattern = /^(.*)\[([1-9][0-9]{0,5})?\]$/s;

/** All atomic types of the standard by name. */
const atomicTypes: ReadonlyMap<string, TypeExpression> = new Map(
  [...everyAtomicType()].map((type) => [type.name, type]),
);

function* everyAtomicType(): Generator<TypeExpression> {
  yield { kind: 'address', name: 'address' };
  yield { kind: 'bool', name: 'bool' };
  yield { kind: 'string', name: 'string' };
  yield { kind: 'bytes', name: 'bytes', size: undefined };
  for (let size = 1; size <= 32; size += 1) {
    yield { kind: 'bytes', name: `bytes${size}`, size };
    for (const range of [unsignedRange(size * 8), signedRange(size * 8)]) {
      yield { kind: 'integer', name: range.name, range };
    }
  }
}

function readMembers(
  value: unknown,
  names: ReadonlySet<string>,
  spent: { textLength: number },
  path: string,
): readonly StructMember[] {
  const rows = arrayAt(value, path);
  if (rows.length > typeLimits.membersOfStruct) {
    refusePayload(
      path,
      `expected at most ${typeLimits.membersOfStruct} members, got ${rows.length}`,
    );
  }
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const rowPath = `${path}.${index}`;
    const object = objectAt(row, rowPath);
    const name = textAt(memberOf(object, 'name', rowPath, 'a string'), `${rowPath}.name`);
    const type = textAt(memberOf(object, 'type', rowPath, 'a string'), `${rowPath}.type`);
    spent.textLength += name.length + type.length;
    if (spent.textLength > typeLimits.textLength) {
      refusePayload(
        rowPath,
        `expected at most ${typeLimits.textLength} characters of names and types in all members`,
      );
    }
    requireName(name, `${rowPath}.name`);
    if (seen.has(name)) refusePayload(`${rowPath}.name`, `duplicate member ${quoted(name)}`);
    seen.add(name);
    return { name, type: readType(type, names, typeLimits.arrayDimensions, `${rowPath}.type`) };
  });
}

function readType(
  text: string,
  names: ReadonlySet<string>,
  dimensionsLeft: number,
  path: string,
): TypeExpression {
  const atomic = atomicTypes.get(text);
  if (atomic !== undefined) return atomic;
  if (names.has(text)) return { kind: 'struct', name: text };
  if (text === 'int' || text === 'uint') {
    refusePayload(path, `\`${text}\` is not a type of EIP-712, expected \`${text}256\``);
  }
  const [, elementText, length] = arrayPattern.exec(text) ?? [];
  if (elementText === undefined) refusePayload(path, `unknown type ${quoted(text)}`);
  if (dimensionsLeft === 0) {
    refusePayload(path, `expected at most ${typeLimits.arrayDimensions} array dimensions`);
  }
  return {
    kind: 'list',
    name: text,
    element: readType(elementText, names, dimensionsLeft - 1, path),
    length: length === undefined ? undefined : Number(length),
  };
}

function requireName(name: string, path: string): void {
  if (name.length > typeLimits.nameLength || !namePattern.test(name)) {
    refusePayload(
      path,
      `expected a name of at most ${typeLimits.nameLength} ASCII letters, digits, \`_\`, \`$\` and \`:\`, got ${quoted(name)}`,
    );
  }
}

function requireDomainMember(member: StructMember, path: string): void {
  const known = domainMembers.find(({ name }) => name === member.name);
  if (known === undefined) refusePayload(path, `unknown domain member ${quoted(member.name)}`);
  if (textMembers.has(member.name) && member.type.name === 'string') return;
  if (known.type.name !== member.type.name) {
    refusePayload(path, `expected ${quoted(known.name)} to be of type ${quoted(known.type.name)}`);
  }
}

function reach(name: string, structTypes: StructTypes, reached: Set<string>): void {
  if (reached.has(name)) return;
  reached.add(name);
  for (const { type } of structTypes.get(name) ?? []) {
    const struct = structOf(type);
    if (struct !== undefined) reach(struct, structTypes, reached);
  }
}

function structOf(type: TypeExpression): string | undefined {
  if (type.kind === 'list') return structOf(type.element);
  return type.kind === 'struct' ? type.name : undefined;
}

function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') refusePayload(path, `expected a string, got ${kindOf(value)}`);
  return value;
}
