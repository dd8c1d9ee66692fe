// Descriptions of calls and typed data for people, in the JSON of ERC-7730, version 2. They are advice: no
// policy reads them, and the parser rejects parts that the service cannot verify.

import type { Steps } from '../base/steps.ts';
import { type AbiFunction, readAbiInSteps } from './abi.ts';
import { layoutOf, type TupleLayout } from './abi_layout.ts';
import { type DescribedField, type FileTables, readFields } from './description_fields.ts';
import { abiEntryOf, encodedTypeOf } from './description_keys.ts';
import {
  boundedText,
  descriptionLimits,
  requireMembers,
  scalarText,
} from './description_members.ts';
import { createParsedTexts } from './parsed_texts.ts';
import {
  below,
  listAt,
  type Members,
  memberOf,
  objectAt,
  refuseInterface,
  refuseTwins,
  textAt,
} from './refusal.ts';

/** One file, bound to contracts by their deployments. */
export type Description = {
  /** Name of the contract or of its owner; empty if the file has none. */
  readonly name: string;
  readonly deployments: readonly Deployment[];
  /** Required members of the domain of typed data, as text. */
  readonly domain: ReadonlyMap<string, string>;
  /** Lower-case hex with `0x`. Optional. */
  readonly domainSeparator: string | undefined;
  /** The contract's own token, as the file describes it. Optional. */
  readonly token: { readonly ticker: string; readonly decimals: number } | undefined;
  readonly tables: FileTables;
  /** By selector, `0x` and eight lower-case digits. Empty for typed data. */
  readonly calls: ReadonlyMap<string, DescribedCall>;
  /** By encoded type. Empty for calls. */
  readonly types: ReadonlyMap<string, DescribedFormat>;
};

type Deployment = {
  readonly chainId: bigint /** Lower-case hex with `0x`. */;
  readonly address: string;
};

export type DescribedFormat = {
  readonly intent: string;
  readonly fields: readonly DescribedField[];
};

type DescribedCall = DescribedFormat & {
  readonly function: AbiFunction;
  readonly layout: TupleLayout;
};

/**
 * Reads a description. Rejects (`field_invalid`) a file that includes another file, a binding by a factory,
 * and unknown members, formats and types. Each step reads one format.
 */
export function* readDescriptionInSteps(value: unknown): Steps<Description> {
  const file = objectAt(value, '');
  requireMembers(file, ['$schema', '$comment', 'context', 'metadata', 'display'], '');
  requireVersion(memberOf(file, '$schema'));
  const context = objectAt(memberOf(file, 'context'), 'context');
  requireMembers(context, ['$id', 'contract', 'eip712'], 'context');
  const isTyped = memberOf(context, 'eip712') !== undefined;
  if (isTyped === (memberOf(context, 'contract') !== undefined)) {
    refuseInterface('context', 'expected either `contract` or `eip712`');
  }
  const bound = isTyped ? 'eip712' : 'contract';
  const binding = objectAt(memberOf(context, bound), `context.${bound}`);
  const known = isTyped
    ? ['deployments', 'domain', 'domainSeparator', 'schemas']
    : ['deployments', 'abi'];
  requireMembers(binding, known, `context.${bound}`);
  const metadata = objectAt(memberOf(file, 'metadata') ?? {}, 'metadata');
  const display = objectAt(memberOf(file, 'display'), 'display');
  requireMembers(display, ['definitions', 'formats'], 'display');
  const tables = readTables(metadata, display);
  const formats = objectAt(memberOf(display, 'formats'), 'display.formats');
  const count = Object.keys(formats).length;
  if (count === 0 || count > descriptionLimits.formats) {
    refuseInterface(
      'display.formats',
      `expected 1 to ${descriptionLimits.formats} formats, got ${count}`,
    );
  }
  requireShortKeys(formats);
  const separator = memberOf(binding, 'domainSeparator');
  return {
    name: nameOf(metadata),
    deployments: readDeployments(memberOf(binding, 'deployments'), `context.${bound}.deployments`),
    domain: isTyped ? readDomain(memberOf(binding, 'domain')) : new Map(),
    domainSeparator:
      separator === undefined
        ? undefined
        : textAt(separator, 'context.eip712.domainSeparator').toLowerCase(),
    token: readToken(memberOf(metadata, 'token')),
    tables,
    calls: isTyped ? new Map() : yield* readCalls(formats, tables),
    types: isTyped ? yield* readTypes(formats, tables) : new Map(),
  };
}

export const parsedDescriptions = createParsedTexts(readDescriptionInSteps);

function requireVersion(schema: unknown): void {
  const text = textAt(schema, '$schema');
  if (/(?:^|\/)erc7730-v2(?:\.[0-9]+)*\.schema\.json$/.test(text)) return;
  refuseInterface('$schema', 'expected version 2: `…/erc7730-v2.schema.json`');
}

function nameOf(metadata: Members): string {
  requireMembers(
    metadata,
    ['owner', 'contractName', 'info', 'token', 'constants', 'enums'],
    'metadata',
  );
  const [name = ''] = ['contractName', 'owner'].flatMap((member) => {
    const value = memberOf(metadata, member);
    return value === undefined ? [] : boundedText(value, `metadata.${member}`);
  });
  return name;
}

function readDeployments(value: unknown, place: string): readonly Deployment[] {
  const rows = listAt(value, place, descriptionLimits.deployments);
  if (rows.length === 0) refuseInterface(place, 'expected at least one deployment');
  return rows.map((row, i) => {
    const at = below(place, i);
    const members = objectAt(row, at);
    requireMembers(members, ['chainId', 'address'], at);
    const chainId = memberOf(members, 'chainId');
    if (!Number.isSafeInteger(chainId) || Number(chainId) <= 0) {
      refuseInterface(below(at, 'chainId'), 'expected a positive integer');
    }
    const address = textAt(memberOf(members, 'address'), below(at, 'address'));
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
      refuseInterface(below(at, 'address'), 'expected `0x` and 40 hex digits');
    }
    return { chainId: BigInt(Number(chainId)), address: address.toLowerCase() };
  });
}

const domainMembers = ['name', 'version', 'chainId', 'verifyingContract', 'salt'];

function readDomain(value: unknown): ReadonlyMap<string, string> {
  const members = objectAt(value ?? {}, 'context.eip712.domain');
  requireMembers(members, domainMembers, 'context.eip712.domain');
  return new Map(
    Object.entries(members).map(([name, member]) => [
      name,
      scalarText(member, `context.eip712.domain.${name}`),
    ]),
  );
}

function readToken(value: unknown): Description['token'] {
  if (value === undefined) return undefined;
  const members = objectAt(value, 'metadata.token');
  requireMembers(members, ['name', 'ticker', 'decimals'], 'metadata.token');
  const decimals = memberOf(members, 'decimals');
  if (!Number.isInteger(decimals) || Number(decimals) < 0 || Number(decimals) > 77) {
    refuseInterface('metadata.token.decimals', 'expected an integer from 0 to 77');
  }
  const ticker = boundedText(memberOf(members, 'ticker'), 'metadata.token.ticker');
  return { ticker, decimals: Number(decimals) };
}

function requireShortKeys(formats: Members): void {
  const characters = Object.keys(formats).reduce((sum, { length }) => sum + length, 0);
  const maximum = descriptionLimits.keyCharacters;
  if (characters <= maximum) return;
  const reason = `expected at most ${maximum} characters of functions or types, got ${characters}`;
  refuseInterface('display.formats', reason);
}

function readTables(metadata: Members, display: Members): FileTables {
  const constants = objectAt(memberOf(metadata, 'constants') ?? {}, 'metadata.constants');
  const enums = objectAt(memberOf(metadata, 'enums') ?? {}, 'metadata.enums');
  const definitions = objectAt(memberOf(display, 'definitions') ?? {}, 'display.definitions');
  // Counts first, so that too many constants are rejected before they are read.
  const values = Object.values(enums).reduce<number>(
    (sum, each) => sum + Object.keys(Object(each)).length,
    Object.keys(enums).length,
  );
  const total = values + Object.keys(constants).length + Object.keys(definitions).length;
  if (total > descriptionLimits.constants) {
    refuseInterface('metadata', `expected at most ${descriptionLimits.constants} constants`);
  }
  return {
    constants: new Map(
      Object.entries(constants).map(([name, value]) => [
        name,
        scalarText(value, `metadata.constants.${name}`),
      ]),
    ),
    enums: new Map(
      Object.entries(enums).map(([name, values]) => [
        name,
        new Map(
          Object.entries(objectAt(values, `metadata.enums.${name}`)).map(([value, title]) => [
            value.toLowerCase(),
            boundedText(title, `metadata.enums.${name}.${value}`),
          ]),
        ),
      ]),
    ),
    definitions: new Map(
      Object.entries(definitions).map(([name, value]) => [
        name,
        objectAt(value, `display.definitions.${name}`),
      ]),
    ),
  };
}

function readFormat(value: unknown, place: string, tables: FileTables): DescribedFormat {
  const members = objectAt(value, place);
  requireMembers(members, ['$id', '$comment', 'intent', 'interpolatedIntent', 'fields'], place);
  return {
    intent: readIntent(memberOf(members, 'intent') ?? '', below(place, 'intent')),
    fields: readFields(memberOf(members, 'fields') ?? [], below(place, 'fields'), tables),
  };
}

/** Joins an intent of several parts into one line: `Native Staking: Withdraw, Rewards: Consensus`. */
function readIntent(value: unknown, place: string): string {
  if (typeof value === 'string') return boundedText(value, place);
  const parts = Object.entries(objectAt(value, place));
  return boundedText(
    parts.map(([name, text]) => `${name}: ${textAt(text, below(place, name))}`).join(', '),
    place,
  );
}

function* readCalls(
  formats: Members,
  tables: FileTables,
): Steps<ReadonlyMap<string, DescribedCall>> {
  const entries = Object.entries(formats);
  // The parser of ABIs checks types and names, and rejects two functions with one selector.
  const abi: unknown[] = [];
  for (const [i, [fragment]] of entries.entries()) {
    abi.push(abiEntryOf(fragment, `display.formats.${i}`));
    yield;
  }
  const calls = new Map<string, DescribedCall>();
  for (const [i, found] of (yield* readAbiInSteps(abi)).entries()) {
    const [fragment = '', format] = entries[i] ?? [];
    if (found.problem !== undefined) refuseInterface(`display.formats.${i}`, found.problem);
    const described = readFormat(format, `display.formats.${fragment.slice(0, 64)}`, tables);
    calls.set(found.selector, { ...described, function: found, layout: layoutOf(found.inputs) });
    yield;
  }
  return calls;
}

function* readTypes(
  formats: Members,
  tables: FileTables,
): Steps<ReadonlyMap<string, DescribedFormat>> {
  const types: (readonly [encoded: string, format: DescribedFormat])[] = [];
  for (const [i, [key, format]] of Object.entries(formats).entries()) {
    const encoded = encodedTypeOf(key, `display.formats.${i}`);
    const place = `display.formats.${key.slice(0, 64)}`;
    types.push([encoded, readFormat(format, place, tables)]);
    yield;
  }
  refuseTwins(
    types.map(([encoded]) => encoded),
    'a format of',
    (i) => `display.formats.${i}`,
  );
  return new Map(types);
}
