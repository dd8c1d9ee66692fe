// The state of an evaluation. A closure without a value records the failure and returns undefined instead of
// throwing.

import { charactersOfStep } from './bounds.ts';
import type { Scope } from './values.ts';

/** Reasons why a clause has no value. */
export type EvaluationFailureCode =
  /** A root name, a namespace below it, or a member of `activity.params` is not there. */
  | 'namespace_absent'
  | 'member_missing'
  /** A control or label exists, but has no value for this request. */
  | 'value_withheld'
  | 'key_missing'
  | 'index_out_of_range'
  /** A value, usually inside a map, has another type than its use requires. */
  | 'type_mismatch'
  /** An integer outside `int` and `uint`, or a time outside the calendar. */
  | 'number_out_of_range'
  | 'step_limit';

export type EvaluationFailure = {
  readonly code: EvaluationFailureCode;
  /** Offset in bytes of the UTF-8 text. */
  readonly position: number;
  readonly message: string;
};

/**
 * The evaluation of an expression in which a part has no value. `strict`, for an ALLOW: the expression has no
 * value. `three_valued`, for a DENY: the expression has a value if it is the same for every value of the
 * part.
 */
export type Logic = 'strict' | 'three_valued';

export type Frame = {
  readonly scope: Scope;
  readonly maximumSteps: number;
  readonly isStrict: boolean;
  steps: number;
  /** True if a predicate over votes held, or votes were counted. */
  isConcerned: boolean;
  /** Failure of the parts that the value depends on; removed if the part turns out not to matter. */
  failure: EvaluationFailure | undefined;
  /** Set when the steps are used up; the whole clause then has no value. */
  exhaustion: EvaluationFailure | undefined;
};

/** A compiled node. Returns its value, or undefined after it recorded a failure in the frame. */
export type Evaluate<Value> = (frame: Frame) => Value | undefined;

export function newFrame(scope: Scope, maximum: number, logic: Logic): Frame {
  return {
    scope,
    maximumSteps: maximum,
    isStrict: logic === 'strict',
    steps: 0,
    isConcerned: false,
    failure: undefined,
    exhaustion: undefined,
  };
}

/**
 * Creates a frozen failure. Closures create it once at compilation, so an evaluation that fails allocates
 * nothing.
 */
export function failureAt(
  position: number,
  code: EvaluationFailureCode,
  message: string,
): EvaluationFailure {
  return Object.freeze({ code, position, message });
}

/** Creates the failure for used-up steps at a position. */
export const limitAt = (position: number): EvaluationFailure =>
  failureAt(position, 'step_limit', 'the evaluation takes too many steps');

/**
 * Keeps the failure that the clause reports: the first in the text of the highest rank. An absent namespace
 * has the lowest rank, and a withheld value the highest, because nothing skips it.
 */
export function note(frame: Frame, failure: EvaluationFailure): undefined {
  const noted = frame.failure;
  if (noted === undefined) frame.failure = failure;
  else {
    const higher = rankOf(failure) - rankOf(noted);
    const isFirst = higher > 0 || (higher === 0 && failure.position < noted.position);
    if (isFirst) frame.failure = failure;
  }
  return undefined;
}

/**
 * Returns the value of alternatives or of conditions that must all hold. `decisive` is the value of a part
 * that decides alone. `before` is the failure recorded before the first part.
 */
export function joined(
  frame: Frame,
  before: EvaluationFailure | undefined,
  decisive: boolean,
  isDecided: boolean,
  isUnknown: boolean,
): boolean | undefined {
  if (isUnknown && (frame.isStrict || !isDecided)) return undefined;
  frame.failure = before;
  return isDecided === decisive;
}

/** Counts steps; returns false when they are used up. */
export function spend(frame: Frame, steps: number, limit: EvaluationFailure): boolean {
  frame.steps += steps;
  if (frame.steps <= frame.maximumSteps) return true;
  if (frame.exhaustion === undefined || limit.position < frame.exhaustion.position) {
    frame.exhaustion = limit;
  }
  note(frame, limit);
  return false;
}

/** Returns the steps of reading this many characters of a text. */
export const stepsOfText = (characters: number): number =>
  Math.floor(characters / charactersOfStep);

const rankOf = ({ code }: EvaluationFailure): number => {
  if (code === 'value_withheld') return 2;
  return code === 'namespace_absent' ? 0 : 1;
};
