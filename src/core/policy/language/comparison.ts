// Compiles comparisons and searches from the closures of their operands.

import type { ComparisonOperator } from './ast.ts';
import { admit, type ExpectedType, isText, type MisfitFailures } from './expected_type.ts';
import {
  type Evaluate,
  type EvaluationFailure,
  type Frame,
  joined,
  note,
  spend,
  stepsOfText,
} from './frame.ts';
import { type CountRange, type Elements, PartialList } from './partial_list.ts';
import { asciiLowerCase, type FactValue, SpelledText, shownSpelling, type Text } from './values.ts';

/** Comparisons of numbers and times. */
const orders: {
  readonly [operator in Exclude<ComparisonOperator, 'in'>]: (a: bigint, b: bigint) => boolean;
} = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

export function compareNumbers(
  left: Evaluate<bigint>,
  right: Evaluate<bigint>,
  operator: Exclude<ComparisonOperator, 'in'>,
): Evaluate<boolean> {
  const holds = orders[operator];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    return a === undefined || b === undefined ? undefined : holds(a, b);
  };
}

/** Compares counts that may be ranges; has a value if all numbers in the ranges agree. */
export function compareCounts(
  left: Evaluate<bigint | CountRange>,
  right: Evaluate<bigint | CountRange>,
  operator: Exclude<ComparisonOperator, 'in'>,
): Evaluate<boolean> {
  const holds = orders[operator];
  const holdsInRange = ranges[operator];
  return (frame) => {
    const before = frame.failure;
    const a = left(frame);
    const b = right(frame);
    if (a === undefined || b === undefined) return undefined;
    if (typeof a === 'bigint' && typeof b === 'bigint') return holds(a, b);
    const value = holdsInRange(rangeOf(a), rangeOf(b));
    if (value !== undefined) frame.failure = before;
    return value;
  };
}

function rangeOf(number: bigint | CountRange): CountRange {
  return typeof number === 'bigint' ? { least: number, most: number } : number;
}

/** Comparisons of ranges; undefined if the result depends on the numbers in them. */
const ranges: {
  readonly [operator in Exclude<ComparisonOperator, 'in'>]: (
    a: CountRange,
    b: CountRange,
  ) => boolean | undefined;
} = {
  '==': (a, b) => areSame(a, b),
  '!=': (a, b) => not(areSame(a, b)),
  '<': (a, b) => isBelow(a, b),
  '<=': (a, b) => not(isBelow(b, a)),
  '>': (a, b) => isBelow(b, a),
  '>=': (a, b) => not(isBelow(a, b)),
};

function areSame(a: CountRange, b: CountRange): boolean | undefined {
  if (a.most < b.least || b.most < a.least) return false;
  return a.least === a.most && b.least === b.most ? true : undefined;
}

function isBelow(a: CountRange, b: CountRange): boolean | undefined {
  if (a.most < b.least) return true;
  return a.least >= b.most ? false : undefined;
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

export function compareBooleans(
  left: Evaluate<boolean>,
  right: Evaluate<boolean>,
  isEqual: boolean,
): Evaluate<boolean> {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    return a === undefined || b === undefined ? undefined : (a === b) === isEqual;
  };
}

export function compareTexts(
  left: Evaluate<Text>,
  right: Evaluate<Text>,
  isEqual: boolean,
  limit: EvaluationFailure,
): Evaluate<boolean> {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (a === undefined || b === undefined) return undefined;
    if (!spend(frame, stepsToCompare(a, b), limit)) return undefined;
    return areEqualTexts(a, b, frame.isStrict) === isEqual;
  };
}

export function compareWithLiteral(
  operand: Evaluate<Text>,
  literal: string,
  isEqual: boolean,
  limit: EvaluationFailure,
): Evaluate<boolean> {
  const lowered = asciiLowerCase(literal);
  const steps = stepsOfText(literal.length);
  return (frame) => {
    const text = operand(frame);
    if (text === undefined) return undefined;
    if (steps > 0 && !spend(frame, steps, limit)) return undefined;
    if (typeof text === 'string') return (text === literal) === isEqual;
    if (text instanceof SpelledText) {
      return text.some((each) => each === literal, frame.isStrict) === isEqual;
    }
    return (text.caseless === lowered) === isEqual;
  };
}

/** Compares values if the type of at least one is known only at evaluation. */
export function compareValues(
  left: Evaluate<FactValue>,
  right: Evaluate<FactValue>,
  isEqual: boolean,
  { mismatch, limit }: Pick<SearchFailures, 'mismatch' | 'limit'>,
): Evaluate<boolean> {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (a === undefined || b === undefined) return undefined;
    if (!spend(frame, stepsToCompare(a, b), limit)) return undefined;
    const areEqual = areEqualValues(a, b, frame.isStrict);
    return areEqual === undefined ? note(frame, mismatch) : areEqual === isEqual;
  };
}

/** Returns true if a text is among literals. */
export function searchTexts(
  operand: Evaluate<Text>,
  literals: readonly string[],
): Evaluate<boolean> {
  const exact = new Set(literals);
  const lowered = new Set(literals.map(asciiLowerCase));
  return (frame) => {
    const text = operand(frame);
    if (text === undefined) return undefined;
    if (typeof text === 'string') return exact.has(text);
    if (text instanceof SpelledText) return text.some((each) => exact.has(each), frame.isStrict);
    return lowered.has(text.caseless);
  };
}

/** Returns true if a number is among literals. */
export function searchNumbers(
  operand: Evaluate<bigint>,
  literals: readonly bigint[],
): Evaluate<boolean> {
  const numbers = new Set(literals);
  return (frame) => {
    const number = operand(frame);
    return number === undefined ? undefined : numbers.has(number);
  };
}

/** The failures of a search in a list. */
type SearchFailures = {
  readonly element: MisfitFailures;
  readonly mismatch: EvaluationFailure;
  readonly limit: EvaluationFailure;
};

/** Returns true if a value is in a list. Compares all elements, and fails if an element has another type. */
export function searchList<Value extends FactValue>(
  operand: Evaluate<FactValue>,
  list: Evaluate<Elements>,
  expected: ExpectedType<Value>,
  failures: SearchFailures,
): Evaluate<boolean> {
  return (frame) => {
    const value = operand(frame);
    const before = frame.failure;
    const elements = list(frame);
    if (value === undefined || elements === undefined) return undefined;
    const values = elements instanceof PartialList ? elements.values : elements;
    if (!spend(frame, values.length, failures.limit)) return undefined;
    let isFound = false;
    let isUnknown = false;
    for (const each of values) {
      const areEqual = matches(frame, value, each, expected, failures);
      if (areEqual === undefined) isUnknown = true;
      else if (areEqual) isFound = true;
    }
    if (elements instanceof PartialList) {
      isUnknown ||= elements.hasUnknown;
      if (!spend(frame, elements.doubtful.length, failures.limit)) return undefined;
      for (const each of elements.doubtful) {
        if (matches(frame, value, each, expected, failures) !== false) isUnknown = true;
      }
    }
    return joined(frame, before, true, isFound, isUnknown);
  };
}

/** Returns true if an element equals a value; undefined after a failure. */
function matches<Value extends FactValue>(
  frame: Frame,
  value: FactValue,
  each: FactValue,
  expected: ExpectedType<Value>,
  failures: SearchFailures,
): boolean | undefined {
  const element = admit(frame, each, expected, failures.element);
  if (element === undefined) return undefined;
  if (!spend(frame, stepsToCompare(value, element), failures.limit)) return undefined;
  return areEqualValues(value, element, frame.isStrict) ?? note(frame, failures.mismatch);
}

/** Returns true if two values are equal; undefined for different types or values that are not scalars. */
function areEqualValues(a: FactValue, b: FactValue, isStrict: boolean): boolean | undefined {
  if (isText(a)) return isText(b) ? areEqualTexts(a, b, isStrict) : undefined;
  const isScalar = typeof a === 'bigint' || typeof a === 'boolean';
  return isScalar && typeof a === typeof b ? a === b : undefined;
}

/** Returns the steps of a comparison; texts of different lengths are not read. */
function stepsToCompare(a: FactValue, b: FactValue): number {
  if (!isText(a) || !isText(b)) return 0;
  const { length } = shownSpelling(a);
  return length === shownSpelling(b).length ? stepsOfText(length) : 0;
}

/** Compares texts: an ALLOW (`isStrict`) only by their shown spelling, a DENY by all spellings. */
function areEqualTexts(a: Text, b: Text, isStrict: boolean): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  if (a instanceof SpelledText) {
    return a.some((each) => areEqualTexts(each, b, isStrict), isStrict);
  }
  if (b instanceof SpelledText) return areEqualTexts(b, a, isStrict);
  const [left, right] = [shownSpelling(a), shownSpelling(b)];
  return left.length === right.length && asciiLowerCase(left) === asciiLowerCase(right);
}
