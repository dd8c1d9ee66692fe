// The file of `keywright key-holder`: the service that it obeys, and its keys.

import { bytesOfHex, hex } from '../../core/base/bytes.ts';
import type { CurveName } from '../../core/base/enums.ts';
import { curves } from '../../core/crypto/curves.ts';
import { p256 } from '../../core/crypto/p256.ts';
import { externalCurves, type KeyHolder } from '../../core/keys/external_keys.ts';
import { isUuid } from '../../core/schema/formats.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { type HolderTool, holderTools } from './holder_tools.ts';

export type HeldKey = {
  readonly holder: KeyHolder;
  /** The command that signs standard input, and the encoding of its output. */
  readonly tool: HolderTool;
};

export type HolderKeys = {
  /** Compressed public key of the service key `key_orders`. */
  readonly authority: Uint8Array;
  /** Names of environment variables for the commands. */
  readonly environment: readonly string[];
  /** Returns a key by organization, curve and public key; undefined for an unknown key. */
  readonly keyOf: (key: KeyName) => HeldKey | undefined;
  readonly count: number;
};

type KeyName = {
  readonly organizationId: string;
  readonly curve: CurveName;
  /** Lower-case hex, as the service stores it. */
  readonly publicKey: string;
};

const maximumKeys = 1_000;
const maximumNames = 64;

/** Reads the file. Raises UnusableDataError with the first fault. */
export function readHolderKeys(text: string): HolderKeys {
  const file = parsedJson(text);
  if (!isJsonObject(file)) throw faulty('expected a JSON object');
  const { authority, environment = [], keys } = file;
  const authorityBytes = typeof authority === 'string' ? bytesOfHex(authority) : undefined;
  const authorityKey = authorityBytes && p256.parsePublicKey(authorityBytes);
  if (authorityKey === undefined) {
    throw faulty('`authority` is the public key of `key_orders` that `keywright keys` prints');
  }
  if (!isNames(environment)) throw faulty('`environment` is a list of names of variables');
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maximumKeys) {
    throw faulty(`\`keys\` is a list of 1 to ${maximumKeys} keys`);
  }
  const byName = new Map<string, HeldKey>();
  for (const [i, key] of keys.entries()) {
    const { name, held } = readKey(key, `keys[${i}]`);
    if (byName.has(name)) throw faulty(`keys[${i}] repeats an earlier key`);
    byName.set(name, held);
  }
  return {
    authority: authorityKey,
    environment,
    keyOf: (key) => byName.get(nameOf(key)),
    count: byName.size,
  };
}

function readKey(key: Json, place: string): { readonly name: string; readonly held: HeldKey } {
  if (!isJsonObject(key)) throw faulty(`${place} is an object`);
  const { organizationId, publicKey, curve: curveName, holder, ...members } = key;
  if (typeof organizationId !== 'string' || !isUuid(organizationId)) {
    throw faulty(`${place}.organizationId is the id of the only organization that may use the key`);
  }
  const curve = externalCurves.find((each) => each === curveName);
  if (curve === undefined) throw faulty(`${place}.curve is one of ${externalCurves.join(', ')}`);
  const bytes = typeof publicKey === 'string' ? bytesOfHex(publicKey) : undefined;
  const point = bytes && curves[curve].parsePublicKey(bytes);
  if (point === undefined) throw faulty(`${place}.publicKey is a public key of ${curve} in hex`);
  const row = Object.values(holderTools).find((each) => each.name === holder);
  if (row === undefined) {
    throw faulty(`${place}.holder is one of ${Object.keys(holderTools).join(', ')}`);
  }
  if (!row.curves.includes(curve)) throw faulty(`${place}: ${row.name} has no keys of ${curve}`);
  const known = [...row.members, ...row.optional];
  const strange = Object.keys(members).find((each) => !known.includes(each));
  if (strange !== undefined) throw faulty(`${place}.${strange} is not a member of ${row.name}`);
  const missing = row.members.find((each) => members[each] === undefined);
  if (missing !== undefined) throw faulty(`${place}.${missing} is missing`);
  const tool = row.tool(members, curve);
  if (tool === undefined) throw faulty(`${place}: a member of ${row.name} has no valid value`);
  const name = nameOf({ organizationId, curve, publicKey: hex(point) });
  return { name, held: { holder: row.name, tool } };
}

const nameOf = ({ organizationId, curve, publicKey }: KeyName): string =>
  [organizationId.toLowerCase(), curve, publicKey].join(' ');

function isNames(value: Json): value is readonly string[] & Json[] {
  const isName = (name: Json) =>
    typeof name === 'string' &&
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) &&
    !name.startsWith('KEYWRIGHT_');
  return Array.isArray(value) && value.length <= maximumNames && value.every(isName);
}

const faulty = (what: string): UnusableDataError =>
  new UnusableDataError(`the file of the key holder: ${what}`);
