// The strict decoder of arguments in call data. Contracts of different compilers treat dirty bytes
// differently, so only data that all of them read alike is decoded.

import { textOfUtf8 } from '../base/bytes.ts';
import type { AbiLayout, TupleLayout, WordKind } from './abi_layout.ts';

/** A decoded argument; `hex` is `0x` and lower-case digits. */
export type AbiValue =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'address' | 'bytes'; readonly hex: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly AbiValue[] };

/** Bounds of decoded data. Offsets may be shared, so both values and bytes are bounded. */
export const argumentLimits = {
  /** Maximum number of values, lists included: four times the words that fit into a transaction. */
  values: 16_384,
  /** Maximum nesting of lists. */
  depth: 16,
  /** Maximum total size of texts and bytes. */
  bytes: 1_048_576,
} as const;

/**
 * Decodes the arguments after the selector. Ignores bytes after the arguments. Returns undefined for dirty
 * padding, a bool other than 0 and 1, text that is not UTF-8, offsets and lengths beyond the data, and
 * arguments beyond the limits.
 */
export function decodeArguments(
  layout: TupleLayout,
  data: Uint8Array,
): readonly AbiValue[] | undefined {
  return decodeWithin(argumentLimits.bytes, layout, data);
}

/**
 * Like `decodeArguments`, but also returns undefined if texts and bytes are together longer than the data,
 * because several offsets name the same bytes. Decoding calls within calls then takes linear time.
 */
export function decodeUnshared(
  layout: TupleLayout,
  data: Uint8Array,
): readonly AbiValue[] | undefined {
  return decodeWithin(Math.min(data.length, argumentLimits.bytes), layout, data);
}

function decodeWithin(
  maximumBytes: number,
  layout: TupleLayout,
  data: Uint8Array,
): readonly AbiValue[] | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  try {
    return readMembers(layout, { data, view, maximumBytes, values: 0, bytes: 0 }, 0, 0);
  } catch (error) {
    if (error === undecodable) return undefined;
    throw error;
  }
}

type Reader = {
  readonly data: Uint8Array;
  readonly view: DataView;
  /** Maximum total size of texts and bytes. */
  readonly maximumBytes: number;
  /** Numbers of values and bytes read so far. */
  values: number;
  bytes: number;
};

const undecodable = new Error('the data does not fit the types');

function expect(condition: boolean): void {
  if (!condition) throw undecodable;
}

/** Reads the value whose head is at `head`. Offsets count from `base`. */
function readValue(
  layout: AbiLayout,
  reader: Reader,
  head: number,
  base: number,
  depth: number,
): AbiValue {
  reader.values += 1;
  expect(reader.values <= argumentLimits.values);
  const at = layout.isDynamic ? base + readLength(reader, head) : head;
  switch (layout.kind) {
    case 'word':
      expect(at + 32 <= reader.data.length);
      return wordReaders[layout.word](reader, at, layout.size);
    case 'bytes':
      return { kind: 'bytes', hex: `0x${readBytes(reader, at).toHex()}` };
    case 'text': {
      const value = textOfUtf8(readBytes(reader, at));
      if (value === undefined) throw undecodable;
      return { kind: 'text', value };
    }
    case 'tuple':
      return { kind: 'list', items: readMembers(layout, reader, at, depth + 1) };
    case 'array':
      return { kind: 'list', items: readArray(layout, reader, at, depth + 1) };
  }
}

function readMembers(layout: TupleLayout, reader: Reader, at: number, depth: number) {
  expect(depth <= argumentLimits.depth && at + layout.bodyBytes <= reader.data.length);
  let head = at;
  return layout.members.map((member) => {
    const value = readValue(member, reader, head, at, depth);
    head += member.headBytes;
    return value;
  });
}

function readArray(
  { element, count }: Extract<AbiLayout, { readonly kind: 'array' }>,
  reader: Reader,
  at: number,
  depth: number,
): readonly AbiValue[] {
  const length = count ?? readLength(reader, at);
  const base = count === undefined ? at + 32 : at;
  // Checked before the list is allocated.
  expect(depth <= argumentLimits.depth && length <= argumentLimits.values - reader.values);
  expect(base + length * element.headBytes <= reader.data.length);
  const items: AbiValue[] = [];
  for (let i = 0; i < length; i += 1) {
    items.push(readValue(element, reader, base + i * element.headBytes, base, depth));
  }
  return items;
}

/** Reads bytes after their length, padded with zeros. Contracts accept missing padding at the end. */
function readBytes(reader: Reader, at: number): Uint8Array {
  const length = readLength(reader, at);
  const start = at + 32;
  const end = start + length;
  expect(end <= reader.data.length);
  const padded = start + Math.ceil(length / 32) * 32;
  expectZeros(reader.data, end, Math.min(padded, reader.data.length));
  reader.bytes += length;
  expect(reader.bytes <= reader.maximumBytes);
  return reader.data.subarray(start, end);
}

/** Reads an offset or a length. Numbers of more than four bytes exceed any data. */
function readLength({ data, view }: Reader, at: number): number {
  expect(at + 32 <= data.length);
  expectZeros(data, at, at + 28);
  return view.getUint32(at + 28);
}

type ReadWord = (reader: Reader, at: number, size: number) => AbiValue;

const wordReaders: Readonly<Record<WordKind, ReadWord>> = {
  unsigned: ({ data, view }, at, size) => {
    expectZeros(data, at, at + 32 - size);
    return { kind: 'integer', value: unsignedAt(view, at) };
  },
  signed: ({ view }, at, size) => {
    const value = BigInt.asIntN(256, unsignedAt(view, at));
    expect(size === 32 || BigInt.asIntN(8 * size, value) === value);
    return { kind: 'integer', value };
  },
  boolean: ({ data }, at) => {
    expectZeros(data, at, at + 31);
    const byte = data[at + 31];
    expect(byte === 0 || byte === 1);
    return { kind: 'boolean', value: byte === 1 };
  },
  address: ({ data }, at) => {
    expectZeros(data, at, at + 12);
    return { kind: 'address', hex: `0x${data.subarray(at + 12, at + 32).toHex()}` };
  },
  bytes: ({ data }, at, size) => {
    expectZeros(data, at + size, at + 32);
    return { kind: 'bytes', hex: `0x${data.subarray(at, at + size).toHex()}` };
  },
};

/** Returns the 256 bits of a word. */
function unsignedAt(view: DataView, at: number): bigint {
  const low = view.getBigUint64(at + 24);
  const middle = view.getBigUint64(at + 16);
  const high = view.getBigUint64(at + 8);
  const highest = view.getBigUint64(at);
  // Most numbers are small, and shifting large ones is slow.
  if (highest === 0n && high === 0n) return middle === 0n ? low : (middle << 64n) | low;
  return (((highest << 64n) | high) << 128n) | (middle << 64n) | low;
}

function expectZeros(data: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i += 1) expect(data[i] === 0);
}

/** Returns the bytes of a value of bytes or of an address; no bytes for another value. */
export const bytesOf = (value: AbiValue | undefined): Uint8Array =>
  value?.kind === 'bytes' || value?.kind === 'address'
    ? Uint8Array.fromHex(value.hex.slice(2))
    : new Uint8Array(0);

/** Returns an integer; 0 for another value. */
export const numberOf = (value: AbiValue | undefined): bigint =>
  value?.kind === 'integer' ? value.value : 0n;

/** Returns the items of a list or a tuple; none for another value. */
export const itemsOf = (value: AbiValue | undefined): readonly AbiValue[] =>
  value?.kind === 'list' ? value.items : [];
