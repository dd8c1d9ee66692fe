// Parses the facts of a policy test from JSON by the types of the policy language's names.

import type { Json, JsonObject } from '../../schema/json.ts';
import { isJsonObject } from '../../schema/json.ts';
import { memberNames, memberOf, type Type } from '../language/types.ts';
import {
  caselessText,
  type FactStruct,
  type FactValue,
  SpelledText,
  type Text,
} from '../language/values.ts';
import type { FieldNotes } from '../names/row.ts';
import { fieldRowOf, type StructName, structs } from '../names/structs.ts';

/** An invalid policy test; the message starts with the position in the file. */
export class PolicyTestError extends Error {
  constructor(path: string, problem: string) {
    super(`${path === '' ? 'the file' : path}: ${problem}`);
    this.name = 'PolicyTestError';
  }
}

/** Returns the other spellings of a Bitcoin address, which networks treat alike. */
export type Spellings = (address: string) => readonly string[];

/** Maximum nesting of values. */
const maximumDepth = 32;

/**
 * Parses the members of a struct from JSON. Integers are JSON numbers or decimal text. Inside a map, a JSON
 * number is an integer, a text in the form of an EVM address is compared without regard to letter case,
 * `{"integer": "…"}` is an integer of any size, and `{"caseless": "…"}` is such a text. The caller passes
 * `spellings`, since spelling Bitcoin addresses needs hashes, which a web page does not load. Throws
 * `PolicyTestError` for unknown names and types.
 */
export function readStruct(
  struct: StructName,
  json: Json | undefined,
  path: string,
  spellings: Spellings,
  depth = 0,
): FactStruct {
  if (!isJsonObject(json)) throw new PolicyTestError(path, 'expected an object');
  const isChosen = structs[struct].chosenMembers !== undefined;
  // A chosen name may be a member of every object, such as `constructor`.
  const facts: { [member: string]: FactValue } = isChosen ? Object.create(null) : {};
  for (const name of isChosen ? Object.keys(json) : memberNames(struct)) {
    const member = memberOf(struct, name);
    if (member === undefined) continue;
    const notes: FieldNotes = fieldRowOf(struct, member.field) ?? {};
    const empty = member.type.kind === 'list' ? [] : '';
    const value = json[name] ?? (notes.emptyIfAbsent === true ? empty : undefined);
    if (value === undefined) continue;
    const fact = readValue(member.type, value, `${path}.${name}`, { spellings, depth: depth + 1 });
    facts[member.field] = typeof fact === 'string' ? textOf(notes, fact, spellings) : fact;
  }
  const unknown = Object.keys(json).find((name) => memberOf(struct, name) === undefined);
  if (unknown !== undefined) throw new PolicyTestError(path, `there is no fact \`${unknown}\``);
  return facts;
}

/** Returns the text of a member in the form that conditions read. */
function textOf(notes: FieldNotes, text: string, spellings: Spellings): Text {
  if (notes.hasSpellings === true) return new SpelledText(text, spellings);
  return notes.isCaseless === true ? caselessText(text) : text;
}

/** Position of a value, and the accepted spellings of its texts. */
type Reading = { readonly spellings: Spellings; readonly depth: number };

function readValue(type: Type, json: Json, path: string, reading: Reading): FactValue {
  if (reading.depth > maximumDepth)
    throw new PolicyTestError(path, `deeper than ${maximumDepth} levels`);
  switch (type.kind) {
    case 'bool':
      if (typeof json !== 'boolean') throw new PolicyTestError(path, 'expected true or false');
      return json;
    case 'string':
      if (typeof json !== 'string') throw new PolicyTestError(path, 'expected a text');
      return json;
    case 'list':
      if (!Array.isArray(json)) throw new PolicyTestError(path, 'expected a list');
      return json.map((item: Json, i) =>
        readValue(type.element, item, `${path}[${i}]`, deeper(reading)),
      );
    case 'map':
      if (!isJsonObject(json)) throw new PolicyTestError(path, 'expected an object');
      return readMap(json, type.element, path, reading);
    case 'struct':
      return readStruct(type.struct, json, path, reading.spellings, reading.depth);
    case 'dynamic':
      return readDynamic(json, path, reading);
    default:
      return readInteger(json, path);
  }
}

function deeper({ spellings, depth }: Reading): Reading {
  return { spellings, depth: depth + 1 };
}

function readMap(json: JsonObject, element: Type, path: string, reading: Reading): FactValue {
  const members = new Map<string, FactValue>();
  for (const [key, value] of Object.entries(json)) {
    if (value === undefined) continue;
    members.set(key, readValue(element, value, `${path}['${key}']`, deeper(reading)));
  }
  return members;
}

function readDynamic(json: Json, path: string, reading: Reading): FactValue {
  if (typeof json === 'string') return isEvmAddress.test(json) ? caselessText(json) : json;
  if (typeof json === 'boolean') return json;
  if (typeof json === 'number') return readInteger(json, path);
  if (Array.isArray(json)) {
    return json.map((item: Json, i) => readValue(dynamic, item, `${path}[${i}]`, deeper(reading)));
  }
  if (!isJsonObject(json)) throw new PolicyTestError(path, 'expected a value that is not null');
  const { integer, caseless } = json;
  const isTagged = Object.keys(json).length === 1;
  if (isTagged && typeof integer === 'string') return readInteger(integer, path);
  if (isTagged && typeof caseless === 'string') return caselessText(caseless);
  return readMap(json, dynamic, path, reading);
}

function readInteger(json: Json, path: string): bigint {
  if (typeof json === 'number' && Number.isSafeInteger(json)) return BigInt(json);
  if (typeof json === 'string' && /^-?\d{1,78}$/.test(json)) return BigInt(json);
  throw new PolicyTestError(path, 'expected an integer, as a number up to 2^53 or as decimal text');
}

const dynamic: Type = { kind: 'dynamic' };
const isEvmAddress = /^0x[0-9a-fA-F]{40}$/;
