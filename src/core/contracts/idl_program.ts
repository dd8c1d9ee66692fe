// Decodes the instructions of a Solana program by its IDL.

import { hex } from '../base/bytes.ts';
import { endsStep, type Steps } from '../base/steps.ts';
import type {
  BorshField,
  BorshFields,
  BorshType,
  BorshTypes,
  BorshVariant,
  DecodedFields,
} from './borsh.ts';
import { decodeBorsh } from './borsh.ts';
import {
  anchorDiscriminator,
  type CheckedInstruction,
  foreignDiscriminator,
  idlLimits,
  isReadable,
  readIdlInSteps,
} from './idl.ts';
import { createParsedTexts } from './parsed_texts.ts';
import { listAt, type Members, memberOf, objectAt, textAt } from './refusal.ts';

type IdlProgram = {
  readonly instructions: readonly IdlInstruction[];
  readonly types: BorshTypes;
};

type IdlInstruction = {
  readonly name: string;
  /** The first bytes of the instruction's data. */
  readonly discriminator: Uint8Array;
  /** False if the IDL states eight first bytes that Anchor does not derive from the name. */
  readonly isOfName: boolean;
  /** Undefined if the type of an argument is unreadable. */
  readonly arguments: readonly BorshField[] | undefined;
  /** Names of its accounts, in order; those of a group are named `group.account`. */
  readonly accounts: readonly string[];
};

export type DecodedInstruction = {
  readonly name: string;
  /** Lower-case hex without `0x`. */
  readonly discriminator: string;
  /** False if only the author of the IDL vouches for the name. */
  readonly isOfName: boolean;
  readonly arguments: DecodedFields;
  /** Names of the first accounts, in order. */
  readonly accounts: readonly string[];
};

/**
 * Decodes the instruction in call data. Returns undefined if no instruction or several have its
 * discriminator, or if the arguments do not match the remaining data exactly.
 */
export function decodeInstruction(
  { instructions, types }: IdlProgram,
  data: Uint8Array,
): DecodedInstruction | undefined {
  const found = instructionIn(instructions, data);
  if (found === undefined) return undefined;
  const { name, discriminator, isOfName, accounts, arguments: fields } = found;
  const decoded = fields && decodeBorsh(fields, types, data, discriminator.length);
  if (decoded === undefined) return undefined;
  return { name, discriminator: hex(discriminator), isOfName, arguments: decoded, accounts };
}

/** Returns the instruction with these first bytes if its arguments cannot be decoded. */
export const undecodedInstruction = (
  { instructions }: IdlProgram,
  data: Uint8Array,
): string | undefined => {
  const found = instructionIn(instructions, data);
  return found?.arguments === undefined ? found?.name : undefined;
};

/** Returns the instruction whose discriminator the data begin with; undefined if several match. */
function instructionIn(
  instructions: readonly IdlInstruction[],
  data: Uint8Array,
): IdlInstruction | undefined {
  const [found, ...others] = instructions.filter(({ discriminator }) =>
    discriminator.every((byte, i) => data[i] === byte),
  );
  return others.length === 0 ? found : undefined;
}

/**
 * Omits instructions with foreign discriminators, types that do not use Borsh, and unreadable types.
 * Decodable instructions do not need them.
 */
function* readProgram(value: unknown): Steps<IdlProgram> {
  const counter = { steps: 0 };
  const idl = objectAt(value, '');
  const instructions = itemsOf(idl, 'instructions', idlLimits.instructions).filter(
    (members) => memberOf(members, foreignDiscriminator) === undefined,
  );
  const checked = instructions.length === 0 ? [] : yield* readIdlInSteps({ ...idl, instructions });
  const checkedByName = new Map(checked.map((each) => [each.name, each]));
  const types = new Map<string, BorshType>();
  for (const members of itemsOf(idl, 'types', idlLimits.types)) {
    if (isBorsh(members) && isReadable(members)) types.set(...definitionOf(members));
    if (endsStep(counter)) yield;
  }
  const read: IdlInstruction[] = [];
  for (const members of instructions) {
    read.push(instructionOf(members, checkedByName.get(nameOf(members))));
    if (endsStep(counter)) yield;
  }
  return { instructions: read, types };
}

/** The programs of stored IDLs, which were validated with `readIdl`. */
export const parsedIdls = createParsedTexts(readProgram);

const isBorsh = (type: Members): boolean =>
  (memberOf(type, 'serialization') ?? 'borsh') === 'borsh';

const itemsOf = (members: Members, name: string, maximum: number): readonly Members[] =>
  listAt(memberOf(members, name) ?? [], name, maximum).map((item) => objectAt(item, name));

const nameOf = (members: Members): string => textAt(memberOf(members, 'name'), 'name');

function instructionOf(members: Members, checked: CheckedInstruction | undefined): IdlInstruction {
  const name = nameOf(members);
  const hasProblem = checked?.problem !== undefined;
  const given = memberOf(members, 'discriminator');
  return {
    name,
    discriminator:
      given === undefined
        ? anchorDiscriminator(name)
        : Uint8Array.from(listAt(given, 'discriminator', idlLimits.discriminatorBytes), Number),
    isOfName: checked?.isOfName !== false,
    arguments: hasProblem ? undefined : itemsOf(members, 'args', idlLimits.fields).map(fieldOf),
    accounts: accountNames(members, ''),
  };
}

function accountNames(members: Members, prefix: string): readonly string[] {
  return itemsOf(members, 'accounts', idlLimits.accounts).flatMap((account) => {
    const name = `${prefix}${nameOf(account)}`;
    const isGroup = memberOf(account, 'accounts') !== undefined;
    return isGroup ? accountNames(account, `${name}.`) : [name];
  });
}

const fieldOf = (members: Members): BorshField => ({
  name: nameOf(members),
  type: typeOf(memberOf(members, 'type')),
});

function definitionOf(members: Members): [name: string, type: BorshType] {
  const type = objectAt(memberOf(members, 'type'), 'type');
  return [nameOf(members), definedType(type)];
}

function definedType(type: Members): BorshType {
  switch (memberOf(type, 'kind')) {
    case 'struct':
      return { kind: 'fields', fields: fieldsOf(memberOf(type, 'fields')) };
    case 'enum':
      return { kind: 'enum', variants: itemsOf(type, 'variants', idlLimits.fields).map(variantOf) };
    // Two spellings of an alias.
    case 'alias':
      return typeOf(memberOf(type, 'value'));
    default:
      return typeOf(memberOf(type, 'alias'));
  }
}

const variantOf = (members: Members): BorshVariant => ({
  name: nameOf(members),
  fields: fieldsOf(memberOf(members, 'fields')),
});

/** Reads named fields, or types only; an empty list is a struct without fields. */
function fieldsOf(value: unknown): BorshFields {
  const items = listAt(value ?? [], 'fields', idlLimits.fields);
  const isNamed = (item: unknown) =>
    typeof item === 'object' && item !== null && Object.hasOwn(item, 'name');
  if (items.every(isNamed))
    return { named: items.map((item) => fieldOf(objectAt(item, 'fields'))) };
  return { unnamed: items.map(typeOf) };
}

function typeOf(value: unknown): BorshType {
  if (typeof value === 'string') return primitiveOf(value);
  const [[name, inner] = []] = Object.entries(objectAt(value, 'type'));
  switch (name) {
    case 'vec':
      return { kind: 'list', element: typeOf(inner) };
    case 'option':
      return { kind: 'option', element: typeOf(inner) };
    case 'array': {
      const [element, count] = listAt(inner, 'array', 2);
      return { kind: 'list', element: typeOf(element), count: Number(count) };
    }
    default: {
      const isOlder = typeof inner === 'string';
      return { kind: 'defined', name: isOlder ? inner : nameOf(objectAt(inner, 'defined')) };
    }
  }
}

function primitiveOf(name: string): BorshType {
  const [, sign, bits] = /^([uif])(\d+)$/.exec(name) ?? [];
  if (sign === 'f') return { kind: 'float', byteCount: bits === '32' ? 4 : 8 };
  if (sign !== undefined) {
    return { kind: 'integer', byteCount: Number(bits) / 8, isSigned: sign === 'i' };
  }
  if (name === 'pubkey' || name === 'publicKey') return { kind: 'key' };
  return { kind: name === 'bool' || name === 'bytes' ? name : 'string' };
}
