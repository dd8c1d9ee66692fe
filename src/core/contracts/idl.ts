// Interfaces of Solana programs: Anchor's IDL in its older and newer format.

import { utf8 } from '../base/bytes.ts';
import { eachInSteps, endsStep, finish, type StepCounter, type Steps } from '../base/steps.ts';
import { sha256 } from '../crypto/hashes.ts';
import { kindOf, quoted } from '../payload/refusal.ts';
import {
  below,
  listAt,
  type Members,
  memberOf,
  objectAt,
  reasonOf,
  refuseInterface,
  refuseTwins,
  textAt,
  valueOrReason,
} from './refusal.ts';

/** Bounds of an IDL. */
export const idlLimits = {
  instructions: 1_000,
  types: 2_000,
  fields: 512,
  accounts: 512,
  depth: 16,
  arrayItems: 1_000_000,
  discriminatorBytes: 32,
  nameCharacters: 256,
} as const;

/** An instruction of an IDL; `problem` is the reason why calls of it cannot be decoded. */
export type CheckedInstruction = {
  readonly name: string;
  readonly problem?: string;
  /** False if the IDL states eight first bytes that Anchor does not derive from the name. */
  readonly isOfName: boolean;
};

/**
 * Checks an IDL, and returns its instructions in order. An instruction that needs an unknown, generic or
 * missing type has a `problem`. Rejects (`field_invalid`) an IDL without a decodable instruction, duplicate
 * names or discriminators, and malformed IDLs.
 */
export function readIdl(value: unknown): readonly CheckedInstruction[] {
  return finish(readIdlInSteps(value));
}

/** Like `readIdl`, in steps of a few types, instructions and fields. */
export function* readIdlInSteps(value: unknown): Steps<readonly CheckedInstruction[]> {
  const counter = { steps: 0 };
  const idl = objectAt(value, '');
  const given = listAt(memberOf(idl, 'instructions'), 'instructions', idlLimits.instructions);
  const types = withReasons(yield* checkDefinitions(memberOf(idl, 'types') ?? [], counter));
  const instructions = yield* eachInSteps(
    given,
    (instruction, i) => checkInstruction(instruction, below('instructions', i), types, counter),
    counter,
  );
  const [first] = instructions;
  if (first === undefined) {
    return refuseInterface('instructions', 'expected at least one instruction');
  }
  const names = instructions.map(({ name }) => name);
  refuseTwins(names, 'an instruction', (i) => below('instructions', i));
  const declared = [...instructions.entries()].filter(([, of]) => of.discriminator !== undefined);
  refuseTwins(
    declared.map(([, of]) => String(of.discriminator)),
    'an instruction with the discriminator',
    (i) => below('instructions', declared[i]?.[0] ?? i),
  );
  // If no instruction is decodable, the error is the problem of the first.
  if (first.problem !== undefined && instructions.every(({ problem }) => problem !== undefined)) {
    refuseInterface('', first.problem);
  }
  return instructions;
}

/** The types that a part of an IDL uses, by name, each with the place that first names it. */
type Uses = Map<string, string>;

/** A defined type: the types that it uses, or the reason why it cannot be read. */
type Definition = { readonly uses: Uses; readonly problem?: string };

/** Accepts a repeated name if both types have the same shape, because published IDLs contain such pairs. */
function* checkDefinitions(
  value: unknown,
  counter: StepCounter,
): Steps<ReadonlyMap<string, Definition>> {
  const types = listAt(value, 'types', idlLimits.types);
  const definitions = new Map<string, Definition>();
  const written = new Map<string, Members>();
  for (const [i, item] of types.entries()) {
    const path = below('types', i);
    const members = objectAt(item, path);
    const name = nameAt(members, path);
    const uses: Uses = new Map();
    const { reason } = yield* valueOrReason(checkDefinition(members, path, uses, counter));
    const twin = written.get(name);
    const isSame = twin === undefined || shapeOf(twin) === shapeOf(members);
    const problem = isSame ? reason : `\`${path}\`: a type ${quoted(name)} stands there twice`;
    written.set(name, members);
    const before = definitions.get(name)?.problem;
    const found = before ?? problem;
    definitions.set(name, { uses, ...(found === undefined ? {} : { problem: found }) });
    if (twin !== undefined || endsStep(counter)) yield;
  }
  return definitions;
}

/** Returns the text of a definition without comments and with sorted members. */
function shapeOf(members: Members): string {
  const isObject = (value: unknown): value is Members =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(members, (_, value: unknown) => {
    if (!isObject(value)) return value;
    return Object.entries(value)
      .filter(([name]) => name !== 'docs')
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  });
}

/** Defined types, and the reasons why some are unreadable. */
type Types = {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** By name: the reasons for types with a problem, and for types that need them. */
  readonly unreadable: ReadonlyMap<string, string>;
};

/**
 * Finds the unreadable types once for all instructions: from each type with a problem back to the types that
 * use it. A search from each instruction would take their product.
 */
function withReasons(definitions: ReadonlyMap<string, Definition>): Types {
  const unreadable = new Map<string, string>();
  const users = new Map<string, string[]>();
  for (const [name, { uses, problem }] of definitions) {
    const reason = problem ?? undefinedType(uses, definitions);
    if (reason !== undefined) unreadable.set(name, reason);
    for (const used of uses.keys()) users.getOrInsertComputed(used, () => []).push(name);
  }
  // A loop over a map also visits entries that are added during the loop.
  for (const [name, reason] of unreadable) {
    for (const user of users.get(name) ?? []) {
      if (!unreadable.has(user)) unreadable.set(user, reason);
    }
  }
  return { definitions, unreadable };
}

function undefinedType(
  uses: Uses,
  definitions: ReadonlyMap<string, Definition>,
): string | undefined {
  for (const [name, path] of uses) {
    if (!definitions.has(name)) return `\`${path}\`: the type ${quoted(name)} is not defined`;
  }
  return undefined;
}

/**
 * Returns the reason why a type of the arguments is unreadable. Types that only accounts and events use may
 * be missing, as in many published IDLs.
 */
function missingType(uses: Uses, { definitions, unreadable }: Types): string | undefined {
  const undefinedOne = undefinedType(uses, definitions);
  if (undefinedOne !== undefined) return undefinedOne;
  for (const name of uses.keys()) {
    const reason = unreadable.get(name);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * The member with the first bytes of an instruction in IDLs without Anchor, such as Shank's. Anchor's derived
 * discriminators do not apply to them.
 */
export const foreignDiscriminator = 'discriminant';

type NamedInstruction = CheckedInstruction & { readonly discriminator: string | undefined };

function* checkInstruction(
  value: unknown,
  path: string,
  types: Types,
  counter: StepCounter,
): Steps<NamedInstruction> {
  const members = objectAt(value, path);
  const name = nameAt(members, path);
  const uses: Uses = new Map();
  const argumentsPath = below(path, 'args');
  listAt(memberOf(members, 'args'), argumentsPath, idlLimits.fields);
  const { reason: refused } = yield* valueOrReason(
    checkArguments(memberOf(members, 'args'), argumentsPath, uses, counter),
  );
  const reason = refused ?? missingType(uses, types);
  const checked = {
    name,
    isOfName: true,
    ...(reason === undefined ? {} : { problem: reason }),
  };
  checkAccounts(memberOf(members, 'accounts'), below(path, 'accounts'), 0);
  if (memberOf(members, foreignDiscriminator) !== undefined) {
    const reason = 'expected an IDL of Anchor, got one whose instructions begin with other bytes';
    refuseInterface(below(path, foreignDiscriminator), reason);
  }
  const discriminator = memberOf(members, 'discriminator');
  if (discriminator === undefined) return { ...checked, discriminator };
  const bytes = listAt(discriminator, below(path, 'discriminator'), idlLimits.discriminatorBytes);
  const isBytes = bytes.every((byte) => Number.isInteger(byte) && 0 <= Number(byte));
  if (bytes.length === 0 || !isBytes || bytes.some((byte) => Number(byte) > 255)) {
    refuseInterface(below(path, 'discriminator'), 'expected bytes from 0 to 255');
  }
  const stated = bytes.join();
  const isOfName = bytes.length !== 8 || stated === anchorDiscriminator(name).join();
  return { ...checked, isOfName, discriminator: stated };
}

/** Returns Anchor's discriminator: the first eight bytes of SHA-256(`global:` and the name in snake case). */
export function anchorDiscriminator(name: string): Uint8Array {
  const snakeCase = name
    .replace(/(?<!^)\p{Uppercase}/gu, '_$&')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return sha256(utf8(`global:${snakeCase}`)).subarray(0, 8);
}

/** Arguments need names; fields of a struct may lack them. */
function* checkArguments(
  value: unknown,
  path: string,
  uses: Uses,
  counter: StepCounter,
): Steps<void> {
  yield* checkFields(value, path, uses, counter);
  for (const [i, argument] of listAt(value, path, idlLimits.fields).entries()) {
    const argumentPath = below(path, i);
    nameAt(objectAt(argument, argumentPath), argumentPath);
  }
}

/** Checks accounts of an instruction; a group contains further accounts. */
function checkAccounts(value: unknown, path: string, depth: number): void {
  if (depth > idlLimits.depth) refuseInterface(path, 'nested too deep');
  for (const [i, item] of listAt(value, path, idlLimits.accounts).entries()) {
    const itemPath = below(path, i);
    const members = objectAt(item, itemPath);
    nameAt(members, itemPath);
    for (const flag of ['isMut', 'isSigner', 'writable', 'signer']) {
      const isSet = memberOf(members, flag) ?? false;
      if (typeof isSet !== 'boolean') {
        refuseInterface(below(itemPath, flag), `expected a boolean, got ${kindOf(isSet)}`);
      }
    }
    const group = memberOf(members, 'accounts');
    if (group !== undefined) checkAccounts(group, below(itemPath, 'accounts'), depth + 1);
  }
}

type CheckDefinition = (
  type: Members,
  path: string,
  uses: Uses,
  counter: StepCounter,
) => Steps<void> | undefined;

/** Kinds of defined types, and their checks. */
const definitions: ReadonlyMap<string, CheckDefinition> = new Map([
  [
    'struct',
    // Fields of an empty struct are optional.
    (type, path, uses, counter) =>
      checkFields(memberOf(type, 'fields') ?? [], below(path, 'fields'), uses, counter),
  ],
  ['enum', checkVariants],
  ['alias', aliasOf('value')],
  ['type', aliasOf('alias')],
] satisfies [string, CheckDefinition][]);

/** Checks an alias; `member` contains its type. */
function aliasOf(member: string): CheckDefinition {
  return (type, path, uses) => {
    checkType(type[member], below(path, member), uses, 0);
    return undefined;
  };
}

/** Returns true if the reader supports every type that a defined type uses. */
export function isReadable(members: Members): boolean {
  const check = checkDefinition(members, 'types', new Map(), { steps: 0 });
  return reasonOf(() => finish(check)) === undefined;
}

function* checkDefinition(
  members: Members,
  path: string,
  uses: Uses,
  counter: StepCounter,
): Steps<void> {
  refuseGenerics(members, path);
  const typePath = below(path, 'type');
  const type = objectAt(memberOf(members, 'type'), typePath);
  const kindPath = below(typePath, 'kind');
  const kind = textAt(memberOf(type, 'kind'), kindPath);
  const check =
    definitions.get(kind) ?? refuseInterface(kindPath, `unknown kind of type ${quoted(kind)}`);
  const steps = check(type, typePath, uses, counter);
  if (steps !== undefined) yield* steps;
}

function* checkVariants(
  type: Members,
  path: string,
  uses: Uses,
  counter: StepCounter,
): Steps<void> {
  const variantsPath = below(path, 'variants');
  const variants = listAt(memberOf(type, 'variants'), variantsPath, idlLimits.fields);
  function* checkVariant(item: unknown, i: number): Steps<string> {
    const itemPath = below(variantsPath, i);
    const variant = objectAt(item, itemPath);
    const fields = memberOf(variant, 'fields');
    if (fields !== undefined) {
      yield* checkFields(fields, below(itemPath, 'fields'), uses, counter);
    }
    return nameAt(variant, itemPath);
  }
  const names = yield* eachInSteps(variants, checkVariant, counter);
  refuseTwins(names, 'a variant', (i) => below(variantsPath, i));
}

/** Checks fields with names, or only types in tuple structs and tuple variants. */
function* checkFields(value: unknown, path: string, uses: Uses, counter: StepCounter): Steps<void> {
  const fields = listAt(value, path, idlLimits.fields);
  const names: string[] = [];
  for (const [i, field] of fields.entries()) {
    if (endsStep(counter)) yield;
    const fieldPath = below(path, i);
    const isNamed = typeof field === 'object' && field !== null && Object.hasOwn(field, 'name');
    if (!isNamed) {
      checkType(field, fieldPath, uses, 0);
      continue;
    }
    const members = objectAt(field, fieldPath);
    checkType(memberOf(members, 'type'), below(fieldPath, 'type'), uses, 0);
    names.push(nameAt(members, fieldPath));
  }
  if (names.length !== 0 && names.length !== fields.length) {
    refuseInterface(path, 'expected names for all fields or for none');
  }
  refuseTwins(names, 'a field', (i) => below(path, i));
}

const primitives: ReadonlySet<string> = new Set([
  ...['bool', 'bytes', 'string', 'publicKey', 'pubkey', 'f32', 'f64'],
  ...['8', '16', '32', '64', '128'].flatMap((bits) => [`u${bits}`, `i${bits}`]),
]);

type CheckType = (value: unknown, path: string, uses: Uses, depth: number) => void;

/** Composite types: an object with this only member. */
const compounds: ReadonlyMap<string, CheckType> = new Map([
  ['vec', checkType],
  ['option', checkType],
  ['array', checkArray],
  ['defined', checkReference],
] satisfies [string, CheckType][]);

function checkType(value: unknown, path: string, uses: Uses, depth: number): void {
  if (depth > idlLimits.depth) refuseInterface(path, 'nested too deep');
  if (typeof value === 'string') {
    if (!primitives.has(value)) refuseInterface(path, `unknown type ${quoted(value)}`);
    return;
  }
  const entries = Object.entries(objectAt(value, path));
  const [name, inner] = entries[0] ?? [];
  const check = name === undefined || entries.length > 1 ? undefined : compounds.get(name);
  if (check === undefined || name === undefined) {
    refuseInterface(path, `expected one of ${[...compounds.keys()].join(', ')}`);
  }
  check(inner, below(path, name), uses, depth + 1);
}

function checkArray(value: unknown, path: string, uses: Uses, depth: number): void {
  const [element, length, ...more] = listAt(value, path, 2);
  const isLength =
    Number.isInteger(length) && 0 <= Number(length) && Number(length) <= idlLimits.arrayItems;
  if (!isLength || more.length > 0) refuseInterface(path, 'expected a type and a length');
  checkType(element, below(path, 0), uses, depth);
}

/** Checks a reference to a type: a name in older IDLs, an object in newer ones. */
function checkReference(value: unknown, path: string, uses: Uses): void {
  const isOlder = typeof value === 'string';
  if (!isOlder) refuseGenerics(objectAt(value, path), path);
  const name = isOlder ? value : nameAt(objectAt(value, path), path);
  if (!uses.has(name)) uses.set(name, path);
}

function refuseGenerics(members: Members, path: string): void {
  const generics = listAt(memberOf(members, 'generics') ?? [], below(path, 'generics'), 256);
  if (generics.length > 0) refuseInterface(path, 'generic types are not supported');
}

function nameAt(members: Members, path: string): string {
  const name = textAt(memberOf(members, 'name'), below(path, 'name'));
  if (name !== '' && name.length <= idlLimits.nameCharacters && !/\p{Cc}/u.test(name)) return name;
  return refuseInterface(below(path, 'name'), `expected a name, got ${quoted(name)}`);
}
