// `all`, `any` and `filter`: a predicate is evaluated for every element, whatever the others gave.

import type { LambdaName } from './ast.ts';
import { type Evaluate, type EvaluationFailure, type Frame, spend } from './frame.ts';
import type { FactValue } from './values.ts';

/** The element that a variable stands for, while its lambda runs. */
export type Variable = { element: FactValue | undefined };

/** A lambda whose parts are compiled. */
export type Lambda = {
  readonly list: Evaluate<readonly FactValue[]>;
  readonly variable: Variable;
  readonly predicate: Evaluate<boolean>;
  /** Nodes of the predicate: what one element costs. */
  readonly weight: number;
  /** Whether the list is of votes, so that a predicate that holds makes a vote matter. */
  readonly isOverVotes: boolean;
  readonly limit: EvaluationFailure;
};

/** The closure of `all` or `any`: all of no elements hold, and none of them does. */
export function testEach(lambda: Lambda, name: Exclude<LambdaName, 'filter'>): Evaluate<boolean> {
  const decides = name === 'any';
  return (frame) => {
    const elements = lambda.list(frame);
    if (elements === undefined) return undefined;
    let result: boolean | undefined = !decides;
    for (const element of elements) {
      const holds = test(lambda, frame, element);
      if (holds === undefined) {
        if (isOver(frame, lambda)) return undefined;
        result = undefined;
      } else if (holds === decides && result !== undefined) result = decides;
    }
    return result;
  };
}

/** The closure of `filter`: the elements for which the predicate holds, in their order. */
export function filterEach(lambda: Lambda): Evaluate<readonly FactValue[]> {
  return (frame) => {
    const elements = lambda.list(frame);
    if (elements === undefined) return undefined;
    const kept: FactValue[] = [];
    let hasFailed = false;
    for (const element of elements) {
      const holds = test(lambda, frame, element);
      if (holds === undefined) {
        if (isOver(frame, lambda)) return undefined;
        hasFailed = true;
      } else if (holds) kept.push(element);
    }
    return hasFailed ? undefined : kept;
  };
}

function test(lambda: Lambda, frame: Frame, element: FactValue): boolean | undefined {
  if (!spend(frame, lambda.weight, lambda.limit)) return undefined;
  lambda.variable.element = element;
  const holds = lambda.predicate(frame);
  lambda.variable.element = undefined;
  if (holds === true && lambda.isOverVotes) frame.isConcerned = true;
  return holds;
}

/** Whether the steps are used up: then the elements that are left are not tried. */
const isOver = (frame: Frame, { limit }: Lambda) => !spend(frame, 0, limit);
