// Fields of a description: labels and formats of values, with references to shared definitions resolved.

import {
  boundedText,
  descriptionLimits,
  requireMembers,
  scalarText,
} from './description_members.ts';
import { type DescriptionPath, readPath } from './description_paths.ts';
import {
  below,
  listAt,
  type Members,
  memberOf,
  objectAt,
  refuseInterface,
  textAt,
} from './refusal.ts';

/** The parts of a file that fields refer to. */
export type FileTables = {
  readonly constants: ReadonlyMap<string, string>;
  /** By name: titles of values by their lower-case text. */
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly definitions: ReadonlyMap<string, Members>;
};

/** A value and its display format. */
export type DescribedField = {
  readonly label: string;
  readonly source: FieldSource;
  readonly format: FieldFormat;
  /** False for a value that the author hides; it is shown below the others. */
  readonly isVisible: boolean;
  /** Allowed texts of the value. Optional. */
  readonly mustMatch: readonly string[] | undefined;
};

/** A position in the data, or a constant text of the file. */
export type FieldSource =
  | { readonly kind: 'path'; readonly path: DescriptionPath }
  | { readonly kind: 'constant'; readonly text: string };

/** Formats without parameters. */
type PlainFormat = 'raw' | 'amount' | 'duration' | 'chainId' | 'tokenTicker';

export type FieldFormat =
  | { readonly kind: PlainFormat }
  | {
      readonly kind: 'tokenAmount';
      readonly token: FieldSource | undefined;
      /** Addresses that represent the chain's coin, in lower case. */
      readonly nativeAddresses: readonly string[];
      readonly threshold: bigint | undefined;
      readonly message: string;
    }
  | { readonly kind: 'nftName'; readonly collection: FieldSource | undefined }
  | { readonly kind: 'date'; readonly encoding: 'timestamp' | 'blockheight' }
  | { readonly kind: 'unit'; readonly base: string; readonly decimals: number }
  | { readonly kind: 'enum'; readonly titles: ReadonlyMap<string, string> }
  | { readonly kind: 'addressName'; readonly senderAddresses: readonly string[] }
  | { readonly kind: 'calldata'; readonly callee: FieldSource | undefined };

/** Reads the fields of a format. A group prefixes its fields with its path and label. */
export function readFields(
  value: unknown,
  place: string,
  tables: FileTables,
): readonly DescribedField[] {
  const count = { items: 0 };
  const fields = fieldsAt(value, { place, tables, path: '', label: '', depth: 0, count });
  if (fields.length <= descriptionLimits.fields) return fields;
  return refuseInterface(place, `expected at most ${descriptionLimits.fields} fields`);
}

type Position = {
  readonly place: string;
  readonly tables: FileTables;
  readonly path: string;
  readonly label: string;
  readonly depth: number;
  /** Number of fields and groups read so far in the format. */
  readonly count: { items: number };
};

function fieldsAt(value: unknown, position: Position): readonly DescribedField[] {
  const { count } = position;
  return listAt(value, position.place, descriptionLimits.fields).flatMap((item, i) => {
    const place = below(position.place, i);
    count.items += 1;
    // Checked before each item is read, because nested groups multiply.
    if (count.items > descriptionLimits.items) {
      refuseInterface(place, `expected at most ${descriptionLimits.items} fields and groups`);
    }
    const members = objectAt(item, place);
    if (memberOf(members, 'fields') === undefined)
      return [fieldAt(members, { ...position, place })];
    requireMembers(members, ['$id', 'path', 'label', 'iteration', 'fields'], place);
    if (position.depth === descriptionLimits.groupDepth) {
      refuseInterface(place, `expected groups at most ${descriptionLimits.groupDepth} deep`);
    }
    const label = memberOf(members, 'label');
    return fieldsAt(memberOf(members, 'fields'), {
      ...position,
      place: below(place, 'fields'),
      path: joined(position.path, textAt(memberOf(members, 'path') ?? '', below(place, 'path'))),
      label:
        label === undefined ? position.label : `${boundedText(label, below(place, 'label'))}: `,
      depth: position.depth + 1,
    });
  });
}

/** Joins a path to that of its group; a path with a root is absolute. */
const joined = (group: string, path: string): string => {
  if (/^[#@$]/.test(path) || group === '') return path;
  return path === '' ? group : `${group}.${path}`;
};

const fieldMembers = ['$id', '$ref', 'path', 'value', 'label', 'format', 'params', 'visible'];

function fieldAt(given: Members, position: Position): DescribedField {
  const { place, tables } = position;
  requireMembers(given, [...fieldMembers, 'separator'], place);
  const members = withDefinition(given, position);
  const path = memberOf(members, 'path');
  const constant = memberOf(members, 'value');
  if ((path === undefined) === (constant === undefined)) {
    refuseInterface(place, 'expected either `path` or `value`');
  }
  const label = boundedText(memberOf(members, 'label') ?? '', below(place, 'label'));
  const params = objectAt(memberOf(members, 'params') ?? {}, below(place, 'params'));
  const source: FieldSource =
    path === undefined
      ? sourceOf(constant, below(place, 'value'), tables)
      : sourceAt(joined(position.path, textAt(path, below(place, 'path'))), place, tables);
  const name = textAt(memberOf(members, 'format') ?? 'raw', below(place, 'format'));
  const read = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (read === undefined) refuseInterface(below(place, 'format'), 'is not a known format');
  return {
    label: `${position.label}${label}`,
    source,
    format: read({ ...position, place: below(place, 'params') }, params),
    ...visibilityOf(memberOf(members, 'visible'), below(place, 'visible')),
  };
}

/** Merges a field with the definition that it names. A definition cannot name another. */
function withDefinition(given: Members, { place, tables }: Position): Members {
  const reference = memberOf(given, '$ref');
  if (reference === undefined) return given;
  const at = below(place, '$ref');
  const [, name = ''] = /^\$\.display\.definitions\.([^.]+)$/.exec(textAt(reference, at)) ?? [];
  const definition = tables.definitions.get(name);
  if (definition === undefined) refuseInterface(at, 'names no definition of the file');
  requireMembers(
    definition,
    ['$id', 'label', 'format', 'params', 'visible'],
    `display.definitions.${name}`,
  );
  const own = objectAt(memberOf(given, 'params') ?? {}, below(place, 'params'));
  const shared = objectAt(
    memberOf(definition, 'params') ?? {},
    `display.definitions.${name}.params`,
  );
  return { ...definition, ...given, params: { ...shared, ...own } };
}

function visibilityOf(
  value: unknown,
  place: string,
): Pick<DescribedField, 'isVisible' | 'mustMatch'> {
  if (value === undefined || typeof value === 'string') {
    const word = value ?? 'always';
    if (!['always', 'optional', 'never'].includes(word)) {
      refuseInterface(place, 'expected `always`, `optional` or `never`');
    }
    return { isVisible: word !== 'never', mustMatch: undefined };
  }
  const members = objectAt(value, place);
  requireMembers(members, ['ifNotIn', 'mustMatch'], place);
  const required = memberOf(members, 'mustMatch');
  return {
    isVisible: required === undefined,
    mustMatch:
      required === undefined
        ? undefined
        : textsAt(required, below(place, 'mustMatch')).map((text) => text.toLowerCase()),
  };
}

type ReadFormat = (position: Position, params: Members) => FieldFormat;

const plain =
  (kind: PlainFormat): ReadFormat =>
  ({ place }, params) => {
    requireMembers(params, [], place);
    return { kind };
  };

const formats: { readonly [name: string]: ReadFormat } = {
  raw: plain('raw'),
  amount: plain('amount'),
  duration: plain('duration'),
  chainId: plain('chainId'),
  tokenTicker: plain('tokenTicker'),
  tokenAmount: (position, params) => {
    const { place } = position;
    requireMembers(
      params,
      ['token', 'tokenPath', 'nativeCurrencyAddress', 'threshold', 'message'],
      place,
    );
    const threshold = memberOf(params, 'threshold');
    return {
      kind: 'tokenAmount',
      token: parameterOf('token', position, params),
      nativeAddresses: addressesAt('nativeCurrencyAddress', position, params),
      threshold: threshold === undefined ? undefined : integerAt(threshold, position, 'threshold'),
      message: boundedText(memberOf(params, 'message') ?? 'Unlimited', below(place, 'message')),
    };
  },
  nftName: (position, params) => {
    requireMembers(params, ['collection', 'collectionPath'], position.place);
    return { kind: 'nftName', collection: parameterOf('collection', position, params) };
  },
  date: ({ place }, params) => {
    requireMembers(params, ['encoding'], place);
    const encoding = memberOf(params, 'encoding') ?? 'timestamp';
    if (encoding === 'timestamp' || encoding === 'blockheight') return { kind: 'date', encoding };
    return refuseInterface(below(place, 'encoding'), 'expected `timestamp` or `blockheight`');
  },
  unit: ({ place }, params) => {
    requireMembers(params, ['base', 'decimals', 'prefix'], place);
    const decimals = memberOf(params, 'decimals') ?? 0;
    if (!Number.isInteger(decimals) || Number(decimals) < 0 || Number(decimals) > 77) {
      refuseInterface(below(place, 'decimals'), 'expected an integer from 0 to 77');
    }
    const base = boundedText(memberOf(params, 'base') ?? '', below(place, 'base'));
    return { kind: 'unit', base, decimals: Number(decimals) };
  },
  enum: ({ place, tables }, params) => {
    requireMembers(params, ['$ref'], place);
    const at = below(place, '$ref');
    const text = textAt(memberOf(params, '$ref'), at);
    const [, name = ''] = /^\$\.metadata\.enums\.([^.]+)$/.exec(text) ?? [];
    const titles = tables.enums.get(name);
    return titles === undefined
      ? refuseInterface(at, 'names no enumeration of the file')
      : { kind: 'enum', titles };
  },
  addressName: (position, params) => {
    requireMembers(params, ['types', 'sources', 'senderAddress'], position.place);
    return { kind: 'addressName', senderAddresses: addressesAt('senderAddress', position, params) };
  },
  calldata: (position, params) => {
    const { place } = position;
    const known = ['callee', 'selector', 'amount', 'spender'];
    requireMembers(params, [...known, ...known.map((name) => `${name}Path`)], place);
    return { kind: 'calldata', callee: parameterOf('callee', position, params) };
  },
};

/** Reads a parameter that the file gives as a value (`token`) or a path (`tokenPath`). */
function parameterOf(name: string, position: Position, params: Members): FieldSource | undefined {
  const { place, path: group, tables } = position;
  const [value, path] = [memberOf(params, name), memberOf(params, `${name}Path`)];
  const at = below(place, `${name}Path`);
  if (path !== undefined) return sourceAt(joined(group, textAt(path, at)), at, tables);
  return value === undefined ? undefined : sourceOf(value, below(place, name), tables);
}

/** Returns a text of the file, or the constant that it names. */
function sourceOf(value: unknown, place: string, tables: FileTables): FieldSource {
  const text = scalarText(value, place);
  return text.startsWith('$.') ? sourceAt(text, place, tables) : { kind: 'constant', text };
}

function sourceAt(text: string, place: string, tables: FileTables): FieldSource {
  const path = readPath(text, place);
  if (path.root !== 'file') return { kind: 'path', path };
  const [, name = ''] = /^\$\.metadata\.constants\.([^.]+)$/.exec(text) ?? [];
  const constant = tables.constants.get(name);
  if (constant === undefined) refuseInterface(place, 'names no constant of the file');
  return { kind: 'constant', text: constant };
}

function addressesAt(name: string, position: Position, params: Members): readonly string[] {
  const place = below(position.place, name);
  return textsAt(memberOf(params, name) ?? [], place).map((text) => {
    const source = sourceOf(text, place, position.tables);
    return source.kind === 'constant' ? source.text.toLowerCase() : '';
  });
}

function textsAt(value: unknown, place: string): readonly string[] {
  const items = Array.isArray(value) ? listAt(value, place, descriptionLimits.listed) : [value];
  return items.map((item) => scalarText(item, place));
}

function integerAt(value: unknown, { place, tables }: Position, name: string): bigint {
  const source = sourceOf(value, below(place, name), tables);
  const text = source.kind === 'constant' ? source.text : '';
  if (/^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(text)) return BigInt(text);
  return refuseInterface(below(place, name), 'expected an integer');
}
