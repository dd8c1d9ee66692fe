// The expected type of a fact at a position in an expression. Facts are external, and the types of map values
// are unknown to the checker, so each fact is checked when it is read.

import { maximumInt, maximumUint, minimumInt } from './bounds.ts';
import { type EvaluationFailure, type Frame, failureAt, note } from './frame.ts';
import type { Type } from './types.ts';
import {
  type CaselessText,
  type FactMap,
  type FactStruct,
  type FactValue,
  SpelledText,
  type Text,
} from './values.ts';

/** The type that a fact must have at a position. */
export type ExpectedType<Value extends FactValue> = {
  /** The name of the type in the language. */
  readonly name: string;
  /** True if an integer that does not fit is out of range instead of mistyped. */
  readonly isNumeric: boolean;
  fits(value: FactValue | undefined): value is Value;
};

export const expectedBoolean: ExpectedType<boolean> = {
  name: 'bool',
  isNumeric: false,
  fits: (value) => typeof value === 'boolean',
};

export const expectedText: ExpectedType<Text> = {
  name: 'string',
  isNumeric: false,
  fits: isText,
};

const expectedInt: ExpectedType<bigint> = {
  name: 'int',
  isNumeric: true,
  fits: (value): value is bigint =>
    typeof value === 'bigint' && value >= minimumInt && value <= maximumInt,
};

const expectedUint: ExpectedType<bigint> = {
  name: 'uint',
  isNumeric: true,
  fits: (value): value is bigint =>
    typeof value === 'bigint' && value >= 0n && value <= maximumUint,
};

/** Any valid integer. */
const expectedWide: ExpectedType<bigint> = {
  name: 'uint',
  isNumeric: true,
  fits: (value): value is bigint =>
    typeof value === 'bigint' && value >= minimumInt && value <= maximumUint,
};

export const expectedTimestamp: ExpectedType<bigint> = {
  name: 'timestamp',
  isNumeric: false,
  fits: (value) => typeof value === 'bigint',
};

export const expectedList: ExpectedType<readonly FactValue[]> = {
  name: 'list',
  isNumeric: false,
  fits: isList,
};

const expectedMap: ExpectedType<FactMap> = {
  name: 'map',
  isNumeric: false,
  fits: isMap,
};

const expectedStruct: ExpectedType<FactStruct> = {
  name: 'struct',
  isNumeric: false,
  fits: isStruct,
};

/** A value of a map, whose integers are `int`. */
export const expectedDynamic: ExpectedType<FactValue> = {
  name: 'value',
  isNumeric: true,
  fits: (value): value is FactValue =>
    typeof value === 'bigint'
      ? expectedInt.fits(value)
      : typeof value === 'string' || typeof value === 'boolean' || isObject(value),
};

/** Returns a fact of the expected type; records a failure and returns undefined for others. */
export function admit<Value extends FactValue>(
  frame: Frame,
  value: FactValue | undefined,
  { fits, isNumeric }: ExpectedType<Value>,
  failures: MisfitFailures,
): Value | undefined {
  if (fits(value)) return value;
  return note(frame, isNumeric && typeof value === 'bigint' ? failures.range : failures.type);
}

export type MisfitFailures = {
  readonly type: EvaluationFailure;
  readonly range: EvaluationFailure;
};

export function misfitFailures(
  position: number,
  { name }: ExpectedType<FactValue>,
): MisfitFailures {
  return {
    type: failureAt(position, 'type_mismatch', `expected a ${name}, got another type`),
    range: failureAt(position, 'number_out_of_range', 'the integer is out of range'),
  };
}

/** Returns the expected type of a fact. */
export function expectedOf(type: Type): ExpectedType<FactValue> {
  return rows[type.kind];
}

/** Returns the expected integer: each integer type has a range of its own. */
export function expectedNumber(type: Type): ExpectedType<bigint> {
  return type.kind === 'uint' || type.kind === 'wide' ? rows[type.kind] : expectedInt;
}

const rows = {
  bool: expectedBoolean,
  int: expectedInt,
  uint: expectedUint,
  wide: expectedWide,
  string: expectedText,
  timestamp: expectedTimestamp,
  list: expectedList,
  map: expectedMap,
  struct: expectedStruct,
  dynamic: expectedDynamic,
} as const satisfies { readonly [kind in Type['kind']]: ExpectedType<FactValue> };

export function isList(value: FactValue | undefined): value is readonly FactValue[] {
  return Array.isArray(value);
}

export function isMap(value: FactValue | undefined): value is FactMap {
  return value instanceof Map;
}

export function isStruct(value: FactValue | undefined): value is FactStruct {
  return isObject(value) && !isList(value) && !isMap(value) && !isText(value);
}

export function isText(value: FactValue | undefined): value is Text {
  return typeof value === 'string' || value instanceof SpelledText || isCaseless(value);
}

function isCaseless(value: FactValue | undefined): value is CaselessText {
  return isObject(value) && typeof value['caseless'] === 'string';
}

/** Returns true for an object; its members are checked when they are read. */
export function isObject(value: FactValue | undefined): value is FactStruct {
  return typeof value === 'object' && value !== null;
}
