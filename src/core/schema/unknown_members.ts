// Removes members of a request before it is used. A newer client may send a member that this service does not
// know; the request continues without it, and the answer contains a warning. Clients whose types have
// defaults send an empty text for an absent member.

import { nearestName } from '../base/edit_distance.ts';
import { ServiceError } from '../errors/errors.ts';
import { isBlankable } from './builders.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { TSchema } from './schema.ts';
import type { Validator } from './validator.ts';

/** Maximum number of unknown members; beyond it, the request is rejected. */
export const maximumUnknownMembers = 20;

/**
 * Words in member names that may change who holds a key, signs or decides. An unknown member with such a name
 * is rejected, because the request without it could mean something else.
 */
const authorityWords: readonly string[] = [
  ...['signer', 'signwith', 'custod', 'delegat', 'owner', 'holder', 'recipient', 'sponsor'],
  ...['pubkey', 'publickey', 'privatekey', 'apikey', 'targetkey', 'seed', 'mnemonic', 'passphrase'],
  ...[
    'quorum',
    'threshold',
    'approv',
    'consensus',
    'policy',
    'scope',
    'credential',
    'authenticator',
  ],
  ...['provider', 'token', 'signature', 'encrypt', 'nonce', 'limit', 'expir', 'dryrun'],
];

export type Tolerance = {
  /** Names of members of any operation: in other places they are misplaced, not new. */
  readonly knownNames: ReadonlySet<string>;
};

type Checked = {
  /** The value without its unknown members, and without empty texts that count as absent. */
  readonly value: JsonObject;
  /** The paths of the unknown members. */
  readonly ignored: readonly string[];
};

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
};

/** Returns the names of all members in these schemas. */
export function memberNamesOf(schemas: Iterable<TSchema>): ReadonlySet<string> {
  const names = new Set<string>();
  const open: JsonSchema[] = [...schemas];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [name, member] of Object.entries(next.properties ?? {})) {
      names.add(name);
      open.push(member);
    }
    if (next.items !== undefined) open.push(next.items);
  }
  return names;
}

/**
 * Validates a value without the empty texts that count as absent. With a tolerance, also removes members that
 * a newer client may have added. Raises like the validator.
 */
export function checkMembers(
  { schema, validate }: { readonly schema: TSchema; readonly validate: Validator },
  value: JsonObject,
  path: string,
  tolerance: Tolerance | undefined,
): Checked {
  try {
    validate(value, path);
    return { value, ignored: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const found: Found = { unknown: 0, empty: 0, ignored: [] };
    const left = without(schema, value, path, tolerance, found);
    if (found.empty + found.ignored.length === 0) throw error;
    if (found.unknown > maximumUnknownMembers) throw error;
    if (!isJsonObject(left)) throw error;
    validate(left, path);
    return { value: left, ignored: found.ignored };
  }
}

type Found = { unknown: number; empty: number; readonly ignored: string[] };

function without(
  schema: JsonSchema,
  value: Json,
  path: string,
  tolerance: Tolerance | undefined,
  found: Found,
): Json {
  const { properties, items } = schema;
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item: Json, i) => without(items, item, `${path}.${i}`, tolerance, found));
  }
  if (!isJsonObject(value) || properties === undefined) return value;
  const prefix = path === '' ? '' : `${path}.`;
  const left: [string, Json][] = [];
  for (const [name, member = null] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined && member === '' && isBlankable(known)) {
      found.empty += 1;
      continue;
    }
    if (known !== undefined) {
      left.push([name, without(known, member, `${prefix}${name}`, tolerance, found)]);
      continue;
    }
    found.unknown += 1;
    // The request is rejected anyway, so the slow comparison of names is skipped.
    if (found.unknown > maximumUnknownMembers) return value;
    const isLeftOut =
      tolerance !== undefined && isIgnorable(name, memberNamesOf([schema]), tolerance);
    if (isLeftOut) found.ignored.push(prefix + name);
    else left.push([name, member]);
  }
  return Object.fromEntries(left);
}

/**
 * Returns false for a misspelled or misplaced member, and for one that may change authority. `near` are the
 * names beside it and below: clients also misspell a member and place it one level too high.
 */
function isIgnorable(name: string, near: Iterable<string>, { knownNames }: Tolerance): boolean {
  const isName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name);
  const words = name.toLowerCase().replaceAll('_', '');
  return (
    isName &&
    !knownNames.has(name) &&
    !authorityWords.some((word) => words.includes(word)) &&
    nearestName(name, near) === undefined
  );
}

/** Returns warnings that name the removed members. */
export function warningsOfIgnored(ignored: readonly string[]): readonly JsonObject[] {
  return ignored.map((member) => ({
    code: 'MEMBER_UNKNOWN',
    member,
    message: `this service does not know \`${member}\`, and left it out`,
  }));
}
