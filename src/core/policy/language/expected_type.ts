// The expected type of a fact at a place in an expression. Facts come from outside of the language, and
// those inside maps have types that no checker saw, so each is looked at where it is read.

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

/** A type that a fact must have at one place. */
export type Wanted<Value extends FactValue> = {
  /** In words of the language. */
  readonly name: string;
  /** True if an integer that does not fit is one out of range. */
  readonly isNumeric: boolean;
  fits(value: FactValue | undefined): value is Value;
};

export const wantedBoolean: Wanted<boolean> = {
  name: 'bool',
  isNumeric: false,
  fits: (value) => typeof value === 'boolean',
};

export const wantedText: Wanted<Text> = {
  name: 'string',
  isNumeric: false,
  fits: isText,
};

export const wantedInt: Wanted<bigint> = {
  name: 'int',
  isNumeric: true,
  fits: (value): value is bigint =>
    typeof value === 'bigint' && value >= minimumInt && value <= maximumInt,
};

const wantedUint: Wanted<bigint> = {
  name: 'uint',
  isNumeric: true,
  fits: (value): value is bigint =>
    typeof value === 'bigint' && value >= 0n && value <= maximumUint,
};

/** Any integer that can be written. */
const wantedWide: Wanted<bigint> = {
  name: 'uint',
  isNumeric: true,
  fits: (value): value is bigint =>
    typeof value === 'bigint' && value >= minimumInt && value <= maximumUint,
};

export const wantedTimestamp: Wanted<bigint> = {
  name: 'timestamp',
  isNumeric: false,
  fits: (value) => typeof value === 'bigint',
};

export const wantedList: Wanted<readonly FactValue[]> = {
  name: 'list',
  isNumeric: false,
  fits: isList,
};

const wantedMap: Wanted<FactMap> = {
  name: 'map',
  isNumeric: false,
  fits: isMap,
};

const wantedStruct: Wanted<FactStruct> = {
  name: 'struct',
  isNumeric: false,
  fits: isStruct,
};

/** A value of a map, whose integers are `int`. */
export const wantedDynamic: Wanted<FactValue> = {
  name: 'value',
  isNumeric: true,
  fits: (value): value is FactValue =>
    typeof value === 'bigint'
      ? wantedInt.fits(value)
      : typeof value === 'string' || typeof value === 'boolean' || isObject(value),
};

/** A fact that has its wanted type, or undefined when noted. */
export function admit<Value extends FactValue>(
  frame: Frame,
  value: FactValue | undefined,
  { fits, isNumeric }: Wanted<Value>,
  failures: MisfitFailures,
): Value | undefined {
  if (fits(value)) return value;
  return note(frame, isNumeric && typeof value === 'bigint' ? failures.range : failures.type);
}

export type MisfitFailures = {
  readonly type: EvaluationFailure;
  readonly range: EvaluationFailure;
};

export function misfitFailures(position: number, { name }: Wanted<FactValue>): MisfitFailures {
  return {
    type: failureAt(position, 'type_mismatch', `expected a ${name}, the fact is none`),
    range: failureAt(position, 'number_out_of_range', 'the integer is out of range'),
  };
}

/** Returns the expected fact at a place of this type. */
export function wantedOf(type: Type): Wanted<FactValue> {
  return rows[type.kind];
}

/** Returns the expected integer: each integer type has a range of its own. */
export function wantedNumber(type: Type): Wanted<bigint> {
  return type.kind === 'uint' || type.kind === 'wide' ? rows[type.kind] : wantedInt;
}

const rows = {
  bool: wantedBoolean,
  int: wantedInt,
  uint: wantedUint,
  wide: wantedWide,
  string: wantedText,
  timestamp: wantedTimestamp,
  list: wantedList,
  map: wantedMap,
  struct: wantedStruct,
  dynamic: wantedDynamic,
} as const satisfies { readonly [kind in Type['kind']]: Wanted<FactValue> };

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

/** The first look at what should be a struct: reading its members tells the rest. */
export function isObject(value: FactValue | undefined): value is FactStruct {
  return typeof value === 'object' && value !== null;
}
