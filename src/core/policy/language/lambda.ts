// `all`, `any` and `filter` evaluate a predicate for every element, even after a failure.

import type { LambdaName } from './ast.ts';
import { type Evaluate, type EvaluationFailure, type Frame, joined, spend } from './frame.ts';
import { type Elements, PartialList } from './partial_list.ts';
import type { FactValue } from './values.ts';

/** The current element of a variable while its lambda runs. */
export type Variable = { element: FactValue | undefined };

/** A lambda with compiled parts. */
export type Lambda = {
  readonly list: Evaluate<Elements>;
  readonly variable: Variable;
  readonly predicate: Evaluate<boolean>;
  /** Nodes of the predicate: the steps for one element. */
  readonly weight: number;
  /** True for a list of votes: a vote matters if the predicate holds for it. */
  readonly isOverVotes: boolean;
  readonly limit: EvaluationFailure;
};

/** The closure of `all` or `any`. For an empty list `all` is true and `any` is false. */
export function testEach(lambda: Lambda, name: Exclude<LambdaName, 'filter'>): Evaluate<boolean> {
  const decides = name === 'any';
  return (frame) => {
    const before = frame.failure;
    const elements = lambda.list(frame);
    if (elements === undefined) return undefined;
    let isDecided = false;
    let isUnknown = false;
    for (const element of valuesOf(elements)) {
      const holds = test(lambda, frame, element);
      if (holds === undefined) {
        if (isOver(frame, lambda)) return undefined;
        isUnknown = true;
      } else if (holds === decides) isDecided = true;
    }
    if (elements instanceof PartialList) {
      isUnknown ||= elements.hasUnknown;
      for (const element of elements.doubtful) {
        // A doubtful element leaves the result unknown, unless it could not decide it anyway.
        if (test(lambda, frame, element) !== !decides) isUnknown = true;
      }
    }
    return joined(frame, before, decides, isDecided, isUnknown);
  };
}

/** The closure of `filter`: the elements for which the predicate holds, in their order. */
export function filterEach(lambda: Lambda): Evaluate<Elements> {
  return (frame) => {
    const before = frame.failure;
    const elements = lambda.list(frame);
    if (elements === undefined) return undefined;
    const kept: FactValue[] = [];
    const doubtful: FactValue[] = [];
    for (const element of valuesOf(elements)) {
      const holds = test(lambda, frame, element);
      if (holds === undefined) {
        if (isOver(frame, lambda)) return undefined;
        doubtful.push(element);
      } else if (holds) kept.push(element);
    }
    let doubtfulUnknown = 0;
    if (elements instanceof PartialList) {
      doubtfulUnknown = elements.unknown + elements.doubtfulUnknown;
      for (const element of elements.doubtful) {
        if (test(lambda, frame, element) !== false) doubtful.push(element);
      }
    }
    if (doubtful.length + doubtfulUnknown === 0) {
      frame.failure = before;
      return kept;
    }
    if (frame.isStrict) return undefined;
    return new PartialList({ values: kept, doubtful, unknown: 0, doubtfulUnknown });
  };
}

/** Returns the known elements that are certainly in a list. */
function valuesOf(elements: Elements): readonly FactValue[] {
  return elements instanceof PartialList ? elements.values : elements;
}

function test(lambda: Lambda, frame: Frame, element: FactValue): boolean | undefined {
  if (!spend(frame, lambda.weight, lambda.limit)) return undefined;
  lambda.variable.element = element;
  const holds = lambda.predicate(frame);
  lambda.variable.element = undefined;
  if (holds === true && lambda.isOverVotes) frame.isConcerned = true;
  return holds;
}

/** Returns true if the steps are used up, so that the remaining elements are skipped. */
const isOver = (frame: Frame, { limit }: Lambda) => !spend(frame, 0, limit);
