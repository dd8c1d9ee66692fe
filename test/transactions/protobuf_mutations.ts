// Changes messages of Protocol Buffers: repeats, removes and reorders fields, changes their types, and
// lengthens numbers.

import { concatBytes } from '../../src/core/base/bytes.ts';
import type { Random } from '../policy_reference/random.ts';

export type WireField = {
  readonly number: number;
  readonly wireType: number;
  readonly value: bigint | Uint8Array | readonly WireField[];
  /** The number of bytes beyond the shortest form of the value or the length. */
  readonly surplus: number;
};

/**
 * Returns true if the delimited field at this path contains a message, false if it contains plain bytes.
 */
export type NestedMessage = (path: readonly number[]) => boolean;

/** Returns the fields of well-formed bytes. */
export function takeApart(
  bytes: Uint8Array,
  isMessage: NestedMessage,
  path: readonly number[] = [],
): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(number());
    const inside = [...path, key >>> 3];
    if ((key & 7) === 0) {
      fields.push({ number: key >>> 3, wireType: 0, value: number(), surplus: 0 });
      continue;
    }
    const length = Number(number());
    const content = bytes.subarray(at, at + length);
    at += length;
    const value = isMessage(inside) ? takeApart(content, isMessage, inside) : content;
    fields.push({ number: key >>> 3, wireType: 2, value, surplus: 0 });
  }
  return fields;
}

/** Returns the bytes of fields, which need not be valid. */
export function putTogether(fields: readonly WireField[]): Uint8Array {
  return concatBytes(
    ...fields.map(({ number, wireType, value, surplus }) => {
      const key = varint(BigInt(number * 8 + wireType), 0);
      if (typeof value === 'bigint') return concatBytes(key, varint(value, surplus));
      const content = value instanceof Uint8Array ? value : putTogether(value);
      return concatBytes(key, varint(BigInt(content.length), surplus), content);
    }),
  );
}

/** Returns the fields with one change at any depth. */
export function changeOneField(fields: readonly WireField[], random: Random): readonly WireField[] {
  const at = random.below(Math.max(1, fields.length));
  const field = fields[at];
  if (field === undefined) return [newField(random)];
  const { value } = field;
  const isNested = typeof value === 'object' && !(value instanceof Uint8Array);
  if (isNested && random.chance(0.75)) {
    return fields.with(at, { ...field, value: changeOneField(value, random) });
  }
  return random.pick(changes)(fields, at, random);
}

type Change = (fields: readonly WireField[], at: number, random: Random) => readonly WireField[];

const edit =
  (changed: (field: WireField, random: Random) => Partial<WireField>): Change =>
  (fields, at, random) => {
    const field = fields[at];
    return field === undefined ? fields : fields.with(at, { ...field, ...changed(field, random) });
  };

const changes: readonly Change[] = [
  (fields, at) => fields.toSpliced(at, 0, ...fields.slice(at, at + 1)),
  (fields, at) => fields.toSpliced(at, 1),
  (fields, at, random) => {
    const other = random.below(fields.length);
    const [a, b] = [fields[at], fields[other]];
    return a === undefined || b === undefined ? fields : fields.with(at, b).with(other, a);
  },
  (fields, at, random) => fields.toSpliced(at, 0, newField(random)),
  edit((_, random) => ({ surplus: 1 + random.below(3) })),
  edit(({ number }, random) => ({ number: random.chance(0.5) ? number + 1 : random.below(20) })),
  edit((_, random) => ({ wireType: random.below(6) })),
  edit(({ value }, random) => ({ value: otherValue(value, random) })),
  edit(({ value }, random) => ({ value: otherValue(value, random) })),
  edit(({ value }, random) => ({ value: otherValue(value, random) })),
];

function otherValue(value: WireField['value'], random: Random): WireField['value'] {
  if (typeof value === 'bigint') return random.pick(integers);
  const bytes = value instanceof Uint8Array ? value : putTogether(value);
  return random.pick<(bytes: Uint8Array) => Uint8Array>([
    () => new Uint8Array(0),
    (all) => all.subarray(0, all.length - 1),
    (all) => concatBytes(all, Uint8Array.of(random.below(256))),
    (all) => all.with(random.below(Math.max(1, all.length)) % Math.max(1, all.length), 0x41),
    (all) => all.map((byte) => (random.chance(0.1) ? random.below(256) : byte)),
  ])(bytes.length === 0 ? Uint8Array.of(random.below(256)) : bytes);
}

const integers = [
  ...[0n, 1n, 2n, 3n, 7n, 31n, 46n, 54n, 55n, 57n, 58n, 100n, 2n ** 31n - 1n, 2n ** 31n],
  ...[2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n],
];

function newField(random: Random): WireField {
  const number = 1 + random.below(20);
  return random.chance(0.5)
    ? { number, wireType: 0, value: random.pick(integers), surplus: 0 }
    : { number, wireType: 2, value: Uint8Array.of(random.below(256)), surplus: 0 };
}

function varint(value: bigint, surplus: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  bytes.push(Number(value >> BigInt(7 * bytes.length)));
  for (let i = 0; i < surplus; i += 1) {
    bytes.push((bytes.pop() ?? 0) | 0x80, 0);
  }
  return Uint8Array.from(bytes);
}
