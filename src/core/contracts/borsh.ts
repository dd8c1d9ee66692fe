// The strict decoder of Borsh (borsh.io, specification 1.0), for arguments of Solana programs. Rejects data
// that another decoder could read differently.

import { base58 } from '@scure/base';
import { hex, textOfUtf8 } from '../base/bytes.ts';

/** A type of an IDL. */
export type BorshType =
  | { readonly kind: 'bool' | 'bytes' | 'string' | 'key' }
  | { readonly kind: 'integer'; readonly byteCount: number; readonly isSigned: boolean }
  | { readonly kind: 'float'; readonly byteCount: 4 | 8 }
  /** A fixed number of elements, or a vector with its count before the elements. */
  | { readonly kind: 'list'; readonly element: BorshType; readonly count?: number }
  | { readonly kind: 'option'; readonly element: BorshType }
  | { readonly kind: 'fields'; readonly fields: BorshFields }
  | { readonly kind: 'enum'; readonly variants: readonly BorshVariant[] }
  | { readonly kind: 'defined'; readonly name: string };

export type BorshFields =
  | { readonly named: readonly BorshField[] }
  | { readonly unnamed: readonly BorshType[] };

export type BorshField = { readonly name: string; readonly type: BorshType };

export type BorshVariant = { readonly name: string; readonly fields: BorshFields };

export type BorshTypes = ReadonlyMap<string, BorshType>;

/**
 * A decoded value. Integers are bigint, floats are number, bytes are lower-case hex without `0x`, keys are
 * base58. An empty option is null. A struct is a map by name, a tuple a list; an enum is a map with the
 * variant as its only member.
 */
export type DecodedValue =
  | boolean
  | bigint
  | number
  | string
  | null
  | readonly DecodedValue[]
  | DecodedFields;

export type DecodedFields = ReadonlyMap<string, DecodedValue>;

/** Maximum nesting of decoded values. */
const maximumDepth = 16;
/** Maximum number of values per byte, and its lower bound: values may have zero bytes. */
const valuesPerByte = 4;
const leastValues = 256;

/**
 * Decodes the fields from an offset to the end of the data. Returns undefined for missing or surplus data, a
 * bool or option other than 0 and 1, text that is not UTF-8, an unknown variant, NaN, and values nested
 * deeper than 16 levels.
 */
export function decodeBorsh(
  fields: readonly BorshField[],
  types: BorshTypes,
  data: Uint8Array,
  offset: number,
): DecodedFields | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const left = leastValues + valuesPerByte * data.length;
  const input: Input = { data, view, types, offset, valuesLeft: left };
  try {
    const decoded = namedFields(fields, input, 0);
    return input.offset === data.length ? decoded : undefined;
  } catch (error) {
    if (error instanceof NotDecoded) return undefined;
    throw error;
  }
}

type Input = {
  readonly data: Uint8Array;
  readonly view: DataView;
  readonly types: BorshTypes;
  offset: number;
  valuesLeft: number;
};

class NotDecoded extends Error {}

function decodeValue(type: BorshType, input: Input, depth: number): DecodedValue {
  input.valuesLeft -= 1;
  if (depth > maximumDepth || input.valuesLeft < 0) throw new NotDecoded();
  switch (type.kind) {
    case 'bool':
      return flag(input);
    case 'bytes':
      return hex(take(length(input), input));
    case 'string':
      return text(input);
    case 'key':
      return base58.encode(take(32, input));
    case 'integer':
      return integer(type.byteCount, type.isSigned, input);
    case 'float':
      return float(type.byteCount, input);
    case 'list':
      return list(type.element, type.count ?? length(input), input, depth);
    case 'option':
      return flag(input) ? decodeValue(type.element, input, depth + 1) : null;
    case 'fields':
      return fieldsOf(type.fields, input, depth);
    case 'enum':
      return variantOf(type.variants, input, depth);
    case 'defined':
      return decodeValue(definition(type.name, input), input, depth + 1);
  }
}

function definition(name: string, { types }: Input): BorshType {
  const found = types.get(name);
  if (found === undefined) throw new NotDecoded();
  return found;
}

function list(element: BorshType, count: number, input: Input, depth: number): DecodedValue {
  if (count > input.valuesLeft) throw new NotDecoded();
  return Array.from({ length: count }, () => decodeValue(element, input, depth + 1));
}

function fieldsOf(fields: BorshFields, input: Input, depth: number): DecodedValue {
  if ('named' in fields) return namedFields(fields.named, input, depth);
  return fields.unnamed.map((type) => decodeValue(type, input, depth + 1));
}

function namedFields(fields: readonly BorshField[], input: Input, depth: number): DecodedFields {
  return new Map(
    fields.map(({ name, type }) => [name, decodeValue(type, input, depth + 1)] as const),
  );
}

function variantOf(variants: readonly BorshVariant[], input: Input, depth: number): DecodedFields {
  const variant = variants[Number(integer(1, false, input))];
  if (variant === undefined) throw new NotDecoded();
  return new Map([[variant.name, fieldsOf(variant.fields, input, depth + 1)]]);
}

function take(count: number, input: Input): Uint8Array {
  const { data, offset } = input;
  if (count > data.length - offset) throw new NotDecoded();
  input.offset = offset + count;
  return data.subarray(offset, input.offset);
}

/** Reads a number of elements or bytes. */
const length = (input: Input): number => Number(integer(4, false, input));

function flag(input: Input): boolean {
  const [byte] = take(1, input);
  if (byte === undefined || byte > 1) throw new NotDecoded();
  return byte === 1;
}

function text(input: Input): string {
  const found = textOfUtf8(take(length(input), input));
  if (found === undefined) throw new NotDecoded();
  return found;
}

function integer(byteCount: number, isSigned: boolean, input: Input): bigint {
  const bytes = take(byteCount, input);
  const value = bytes.reduceRight((high, byte) => (high << 8n) | BigInt(byte), 0n);
  return isSigned ? BigInt.asIntN(8 * byteCount, value) : value;
}

/** The standard forbids NaN, which has many encodings. */
function float(byteCount: 4 | 8, input: Input): number {
  const { offset, view } = input;
  take(byteCount, input);
  const value = byteCount === 4 ? view.getFloat32(offset, true) : view.getFloat64(offset, true);
  if (Number.isNaN(value)) throw new NotDecoded();
  return value;
}
