// Bodies that are larger than a sample in one place: longer lists, longer texts, members that the sample
// leaves out. Places and bounds come from the schema of the operation.

import { testKey } from '../support/harness.ts';
import { worstTexts } from './worst_texts.ts';

export type Json = null | boolean | number | string | readonly Json[] | { [name: string]: Json };

/** The members of a schema that growths depend on. */
type Node = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly enum?: readonly string[];
};

/** One way to make a body larger. */
export type Growth = {
  readonly name: string;
  /** The changed bodies in the order of trial. The first accepted body is the largest. */
  readonly bodies: (body: Json) => readonly Json[];
  /** True if all of them are tried, instead of only those up to the first accepted one. */
  readonly triesAll: boolean;
  /** True for most texts of an expression. */
  readonly isOneOfMany?: boolean;
};

/** All growths of a schema, outer places first. */
export function growthsOf(schema: object, of: Texts): readonly Growth[] {
  const growths = walk(schema as Node, []);
  return of === 'all' ? growths : growths.filter(({ isOneOfMany }) => !isOneOfMany);
}

/** Expressions have many worst texts. A few of them cause most kinds of stalls. */
export type Texts = 'all' | 'few';

/** Estimates the length of a value as JSON. */
export function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  const inner: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  const names = Array.isArray(value) ? 0 : Object.keys(value).join('').length;
  return inner.reduce((size: number, one) => size + sizeOf(one) + 3, names);
}

type Path = readonly string[];

function walk(node: Node, path: Path): readonly Growth[] {
  const name = path.join('.') || 'parameters';
  const members = Object.entries(node.properties ?? {});
  if (node.properties !== undefined) {
    const optional = members.filter(([member]) => node.required?.includes(member) !== true);
    return [
      ...optional.map(([member, schema]) => added(`${name}.${member}`, path, member, schema)),
      ...members.flatMap(([member, schema]) => walk(schema, [...path, member])),
    ];
  }
  if (node.items !== undefined) {
    return [
      longer(name, path, node.items, node.maxItems ?? 100),
      ...walk(node.items, [...path, '*']),
    ];
  }
  if (node.type === 'string' && node.enum === undefined && node.format !== 'uuid') {
    return texts(name, path, node.maxLength ?? 0);
  }
  return [];
}

function added(name: string, path: Path, member: string, schema: Node): Growth {
  const value = exampleOf(schema);
  return {
    name: `${name} added`,
    triesAll: false,
    bodies: (body) => [
      replaced(body, path, (found) =>
        isObject(found) && !Object.hasOwn(found, member) ? { ...found, [member]: value } : found,
      ),
    ],
  };
}

function longer(name: string, path: Path, items: Node, most: number): Growth {
  const lengths = quartersOf(Math.min(most, 20_000));
  return {
    name: `${name} longer`,
    triesAll: false,
    bodies: (body) =>
      lengths.flatMap((length) =>
        [distinct, (item: Json) => item].map((vary) =>
          replaced(body, path, (found) => {
            if (!Array.isArray(found) || found.length >= length) return found;
            const sample: readonly Json[] = found.length > 0 ? found : [exampleOf(items)];
            return Array.from({ length }, (_, i) =>
              i < sample.length
                ? (sample[i] ?? null)
                : vary(sample[i % sample.length] ?? null, 1_000 + i),
            );
          }),
        ),
      ),
  };
}

const expressions = new Set(['condition', 'consensus', 'time', 'expression']);

function texts(name: string, path: Path, most: number): readonly Growth[] {
  if (expressions.has(path.at(-1) ?? '')) {
    return worstTexts(Math.min(most, 131_000)).map((text, i) => ({
      name: `${name}, text ${i}`,
      triesAll: true,
      isOneOfMany: i % 8 !== 5,
      bodies: (body) => [
        replaced(body, path, (found) => (typeof found === 'string' ? text : found)),
      ],
    }));
  }
  const grow = (length: number) => (found: Json) => {
    if (typeof found !== 'string' || found.length >= length) return found;
    if (found === '') return 'a'.repeat(length);
    const isHex = /^(0x)?[0-9a-f]+$/i.test(found);
    return isHex ? found.padEnd(length - (length % 2), '0') : found.padEnd(length, found);
  };
  const lengths = quartersOf(Math.min(most, 4_000_000)).filter((length) => length > 32);
  return [
    {
      name: `${name} longer`,
      triesAll: false,
      bodies: (body) => lengths.map((length) => replaced(body, path, grow(length))),
    },
  ];
}

/** Returns a minimal value of a schema, with its required members only. */
function exampleOf(node: Node): Json {
  const [type] = [node.type].flat();
  if (node.enum !== undefined) return node.enum[0] ?? null;
  if (node.properties !== undefined) {
    const members = Object.entries(node.properties);
    return Object.fromEntries(
      members
        .filter(([member]) => node.required?.includes(member) === true)
        .map(([member, schema]) => [member, exampleOf(schema)]),
    );
  }
  if (node.items !== undefined) return node.minItems === undefined ? [] : [exampleOf(node.items)];
  if (node.format === 'decimal' || type === 'integer') return String(node.maximum ?? 1);
  if (type === 'boolean') return true;
  if (node.format === 'uuid') return '019b7614-0000-7000-8000-000000000001';
  return 'true';
}

/** Returns the item with other names, because most lists require distinct items. */
function distinct(item: Json, i: number): Json {
  if (Array.isArray(item)) return item.map((inner: Json) => distinct(inner, i));
  if (isObject(item)) {
    return Object.fromEntries(
      Object.entries(item).map(([name, inner]) => [name, distinct(inner, i)]),
    );
  }
  if (typeof item !== 'string') return item;
  if (/^0[23][0-9a-f]{64}$/.test(item)) return testKey(`stalls ${i}`).publicKey;
  if (/^m(\/\d+'?)+$/.test(item)) return item.replace(/\d+('?)$/, `${i}$1`);
  if (/^[0-9a-f]{64}$/.test(item)) return i.toString(16).padStart(64, '0');
  if (/^[A-Z0-9_]+$/.test(item) || /^[0-9a-f]{8}-/.test(item)) return item;
  return /^[^@]+@/.test(item) ? `${i}${item}` : `${item} ${i}`;
}

function replaced(value: Json, path: Path, change: (found: Json) => Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (first === '*') {
    return Array.isArray(value) ? value.map((item: Json) => replaced(item, rest, change)) : value;
  }
  if (!isObject(value)) return value;
  const member = value[first];
  return member === undefined ? value : { ...value, [first]: replaced(member, rest, change) };
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a number, a quarter of it, and so on. The first accepted length is thus at least a quarter of the
 * maximum.
 */
function quartersOf(most: number): readonly number[] {
  const lengths: number[] = [];
  for (let length = most; length > 1; length = Math.floor(length / 4)) lengths.push(length);
  return lengths.slice(0, 6);
}
