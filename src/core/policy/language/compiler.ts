// Compiles a typed tree to closures. A closure returns its value, or records a failure and returns undefined.
// Both sides of an operator and all elements of a list are evaluated, even after a failure.

import { eachInSteps, finish, type StepCounter, type Steps } from '../../base/steps.ts';
import { assert } from '../../errors/errors.ts';
import type { StructName } from '../names/structs.ts';
import type { CheckedExpression, ComparisonOperator } from './ast.ts';
import { type ClauseName, clauseRoots } from './checker.ts';
import { compileCronSpan } from './clock.ts';
import {
  compareBooleans,
  compareCounts,
  compareNumbers,
  compareTexts,
  compareValues,
  compareWithLiteral,
  searchList,
  searchNumbers,
  searchTexts,
} from './comparison.ts';
import {
  type ExpectedType,
  expectedBoolean,
  expectedDynamic,
  expectedList,
  expectedNumber,
  expectedOf,
  expectedText,
  expectedTimestamp,
  misfitFailures,
} from './expected_type.ts';
import { type Evaluate, failureAt, joined, limitAt } from './frame.ts';
import { filterEach, type Lambda, testEach, type Variable } from './lambda.ts';
import { type CountRange, type Elements, PartialList } from './partial_list.ts';
import { type PathStep, readPath, stepOf } from './path.ts';
import {
  countElements,
  readBelow,
  readCaseless,
  readElement,
  readList,
  readMember,
  readPart,
  readVariable,
} from './reads.ts';
import { isCountInDoubt, isOfVotes, literalsOf, literalText, weightInSteps } from './shape.ts';
import { nanosecondsOfTimestamp } from './timestamp.ts';
import type { FactValue, Text } from './values.ts';

/** Returns the closure of a checked clause. */
export function compile(clause: ClauseName, expression: CheckedExpression): Evaluate<boolean> {
  return finish(compileInSteps(clause, expression));
}

/** Like `compile`, in steps. */
export function* compileInSteps(
  clause: ClauseName,
  expression: CheckedExpression,
): Steps<Evaluate<boolean>> {
  return yield* compileBoolean(expression, contextOf(clause));
}

/** Returns the closure of a checked part of a clause outside of all lambdas. */
export function compilePart(clause: ClauseName, part: CheckedExpression): Evaluate<FactValue> {
  return finish(compileValue(part, contextOf(clause)));
}

const contextOf = (clause: ClauseName): Context => ({
  root: clauseRoots[clause],
  variables: new Map(),
  counter: { steps: 0 },
});

type Context = {
  readonly root: StructName;
  /** Variables of the enclosing lambdas. */
  readonly variables: ReadonlyMap<string, Variable>;
  readonly counter: StepCounter;
};

type NodeOf<Kind extends CheckedExpression['kind']> = Extract<CheckedExpression, { kind: Kind }>;

function* compileBoolean(node: CheckedExpression, context: Context): Steps<Evaluate<boolean>> {
  switch (node.kind) {
    case 'boolean': {
      const { value } = node;
      return () => value;
    }
    case 'not': {
      const operand = yield* compileBoolean(node.operand, context);
      return (frame) => {
        const value = operand(frame);
        return value === undefined ? undefined : !value;
      };
    }
    case 'and':
    case 'or':
      return yield* compileChain(node, context);
    case 'comparison':
      return yield* compileComparison(node, context);
    case 'method': {
      const [element] = node.items;
      assert(element !== undefined, '`contains` has an argument');
      return yield* compileSearch(element, node.target, node.position, context);
    }
    case 'lambda':
      assert(node.name !== 'filter', 'a filtered list is no bool');
      return testEach(yield* compileLambda(node, context), node.name);
    case 'function':
      return compileCronSpan(node);
    default:
      return yield* compileRead(node, expectedBoolean, context);
  }
}

function* compileChain(node: NodeOf<'and' | 'or'>, context: Context): Steps<Evaluate<boolean>> {
  const operands = yield* eachInSteps(
    node.operands,
    (operand) => compileBoolean(operand, context),
    context.counter,
  );
  // The operand value that decides the result: false for `&&`, true for `||`.
  const decisive = node.kind === 'or';
  return (frame) => {
    const before = frame.failure;
    let isDecided = false;
    let isUnknown = false;
    for (const operand of operands) {
      const value = operand(frame);
      if (value === undefined) isUnknown = true;
      else if (value === decisive) isDecided = true;
    }
    if (!isUnknown) return isDecided === decisive;
    return joined(frame, before, decisive, isDecided, isUnknown);
  };
}

function* compileComparison(
  node: NodeOf<'comparison'>,
  context: Context,
): Steps<Evaluate<boolean>> {
  const { operator, left, right, position } = node;
  if (operator === 'in') return yield* compileSearch(left, right, position, context);
  if (operator !== '==' && operator !== '!=') {
    const areTimes = left.type.kind === 'timestamp' || right.type.kind === 'timestamp';
    const compileOrdered = areTimes ? compileTimes : compileNumbers;
    return yield* compileOrdered(left, right, operator, context);
  }
  const isEqual = operator === '==';
  if (isCountInDoubt(left) || isCountInDoubt(right)) {
    return yield* compileNumbers(left, right, operator, context);
  }
  if (left.type.kind === 'dynamic' || right.type.kind === 'dynamic') {
    const message = 'only values of the same simple type can be compared';
    return compareValues(
      yield* compileValue(left, context),
      yield* compileValue(right, context),
      isEqual,
      {
        mismatch: failureAt(position, 'type_mismatch', message),
        limit: limitAt(position),
      },
    );
  }
  switch (left.type.kind) {
    case 'string': {
      const limit = limitAt(position);
      if (right.kind === 'text') {
        return compareWithLiteral(yield* compileText(left, context), right.value, isEqual, limit);
      }
      return compareTexts(
        yield* compileText(left, context),
        yield* compileText(right, context),
        isEqual,
        limit,
      );
    }
    case 'bool':
      return compareBooleans(
        yield* compileBoolean(left, context),
        yield* compileBoolean(right, context),
        isEqual,
      );
    case 'timestamp':
      return yield* compileTimes(left, right, operator, context);
    default:
      return yield* compileNumbers(left, right, operator, context);
  }
}

type Ordering = Exclude<ComparisonOperator, 'in'>;
type Side = CheckedExpression;

function* compileTimes(left: Side, right: Side, operator: Ordering, context: Context) {
  const one = yield* compileTimestamp(left, context);
  return compareNumbers(one, yield* compileTimestamp(right, context), operator);
}

function* compileNumbers(left: Side, right: Side, operator: Ordering, context: Context) {
  if (!isCountInDoubt(left) && !isCountInDoubt(right)) {
    const one = yield* compileNumber(left, context);
    return compareNumbers(one, yield* compileNumber(right, context), operator);
  }
  const one = yield* compileCount(left, context);
  return compareCounts(one, yield* compileCount(right, context), operator);
}

/** Compiles `element in list` and `list.contains(element)`. */
function* compileSearch(
  element: CheckedExpression,
  list: CheckedExpression,
  position: number,
  context: Context,
): Steps<Evaluate<boolean>> {
  const literals = literalsOf(list);
  if (literals !== undefined && element.type.kind === 'string') {
    const texts = literals.filter((value) => typeof value === 'string');
    if (texts.length === literals.length)
      return searchTexts(yield* compileText(element, context), texts);
  }
  if (literals !== undefined && (element.type.kind === 'int' || element.type.kind === 'uint')) {
    const numbers = literals.filter((value) => typeof value === 'bigint');
    if (numbers.length === literals.length) {
      return searchNumbers(yield* compileNumber(element, context), numbers);
    }
  }
  const inList = list.type.kind === 'list' ? list.type.element : list.type;
  const expected = expectedOf(inList);
  const message = 'the element cannot be compared with those of the list';
  return searchList(
    yield* compileValue(element, context),
    yield* compileElements(list, context),
    expected,
    {
      element: misfitFailures(position, expected),
      mismatch: failureAt(position, 'type_mismatch', message),
      limit: limitAt(position),
    },
  );
}

function* compileLambda(node: NodeOf<'lambda'>, context: Context): Steps<Lambda> {
  const variable: Variable = { element: undefined };
  const variables = new Map([...context.variables, [node.variable, variable]]);
  return {
    list: yield* compileElements(node.target, context),
    variable,
    predicate: yield* compileBoolean(node.predicate, { ...context, variables }),
    weight: yield* weightInSteps(node.predicate),
    isOverVotes: isOfVotes(node.target, true),
    limit: limitAt(node.position),
  };
}

function* compileTimestamp(node: CheckedExpression, context: Context): Steps<Evaluate<bigint>> {
  if (node.kind !== 'function') return yield* compileRead(node, expectedTimestamp, context);
  const [text = ''] = node.items.map(literalText);
  const nanoseconds = nanosecondsOfTimestamp(text);
  assert(nanoseconds !== undefined, 'the checker read the time');
  return () => nanoseconds;
}

function* compileNumber(node: CheckedExpression, context: Context): Steps<Evaluate<bigint>> {
  if (node.kind === 'integer') {
    const { value } = node;
    return () => value;
  }
  if (node.kind !== 'method') return yield* compileRead(node, expectedNumber(node.type), context);
  const count = yield* compileCount(node, context);
  return (frame) => {
    const value = count(frame);
    return typeof value === 'bigint' ? value : undefined;
  };
}

/** Compiles a number: the count of a list, which may be a range, or any other number. */
function* compileCount(
  node: CheckedExpression,
  context: Context,
): Steps<Evaluate<bigint | CountRange>> {
  if (node.kind !== 'method') return yield* compileNumber(node, context);
  const list = yield* compileElements(node.target, context);
  return countElements(list, isOfVotes(node.target, false));
}

/** Compiles an index to a number, which is inexact only far beyond all lengths. */
function* compileIndex(node: CheckedExpression, context: Context): Steps<Evaluate<number>> {
  if (node.kind === 'integer') {
    const index = Number(node.value);
    return () => index;
  }
  const index = yield* compileNumber(node, context);
  return (frame) => {
    const value = index(frame);
    return value === undefined ? undefined : Number(value);
  };
}

function* compileText(node: CheckedExpression, context: Context): Steps<Evaluate<Text>> {
  if (node.kind === 'text') {
    const { value } = node;
    return () => value;
  }
  if (node.kind !== 'function') return yield* compileRead(node, expectedText, context);
  const [item] = node.items;
  assert(item !== undefined, 'the function has an argument');
  return readCaseless(node.position, yield* compileText(item, context));
}

/** Compiles a list whose elements must all be known. */
function* compileList(
  node: CheckedExpression,
  context: Context,
): Steps<Evaluate<readonly FactValue[]>> {
  const elements = yield* compileElements(node, context);
  return (frame) => {
    const list = elements(frame);
    return list instanceof PartialList ? undefined : list;
  };
}

function* compileElements(node: CheckedExpression, context: Context): Steps<Evaluate<Elements>> {
  if (node.kind === 'lambda') return filterEach(yield* compileLambda(node, context));
  if (node.kind !== 'list') return yield* compileRead(node, expectedList, context);
  const literals = literalsOf(node);
  if (literals !== undefined) return () => literals;
  const items = yield* eachInSteps(
    node.items,
    (item) => compileValue(item, context),
    context.counter,
  );
  return readList(node.position, items);
}

function* compileValue(node: CheckedExpression, context: Context): Steps<Evaluate<FactValue>> {
  switch (node.type.kind) {
    case 'bool':
      return yield* compileBoolean(node, context);
    case 'int':
    case 'uint':
    case 'wide':
      return yield* compileNumber(node, context);
    case 'string':
      return yield* compileText(node, context);
    case 'timestamp':
      return yield* compileTimestamp(node, context);
    case 'list':
      return yield* compileList(node, context);
    default:
      return yield* compileRead(node, expectedOf(node.type), context);
  }
}

/** Compiles the read of a fact: by name, as a member, or from a list, a map or a text. */
function* compileRead<Value extends FactValue>(
  node: CheckedExpression,
  expected: ExpectedType<Value>,
  context: Context,
): Steps<Evaluate<Value>> {
  switch (node.kind) {
    case 'name':
      return yield* compilePath(node, expected, context);
    case 'member':
      return node.target.type.kind === 'struct'
        ? yield* compilePath(node, expected, context)
        : yield* compileDynamicMember(node, expected, context);
    case 'index': {
      const target = yield* compileValue(node.target, context);
      const index = yield* compileValue(node.index, context);
      return readElement(node.position, expected, target, index);
    }
    case 'slice': {
      const target = yield* compileValue(node.target, context);
      const from = yield* compileIndex(node.from, context);
      const to = yield* compileIndex(node.to, context);
      return readPart(node.position, expected, target, { from, to });
    }
    default:
      throw new Error(`assertion failed: a ${node.kind} is read as ${expected.name}`);
  }
}

/** Compiles a path of names and members to one closure. */
function* compilePath<Value extends FactValue>(
  node: NodeOf<'name' | 'member'>,
  expected: ExpectedType<Value>,
  context: Context,
): Steps<Evaluate<Value>> {
  const steps: PathStep[] = [];
  let base: CheckedExpression = node;
  while (base.kind === 'member' && base.target.type.kind === 'struct') {
    steps.unshift(stepOf(base.target.type.struct, base, base.target.position));
    base = base.target;
  }
  const variable = base.kind === 'name' ? context.variables.get(base.name) : undefined;
  if (variable !== undefined) return readVariable(node.position, expected, variable, steps);
  if (base.kind === 'name') {
    const misfits = misfitFailures(node.position, expected);
    return readPath([stepOf(context.root, base, base.position), ...steps], expected, misfits);
  }
  const owner = yield* compileRead(base, expectedOf(base.type), context);
  return readBelow(node.position, expected, owner, steps);
}

/** Compiles the read of a member of a map value, which may not be a struct. */
function* compileDynamicMember<Value extends FactValue>(
  { target, name, position }: NodeOf<'member'>,
  expected: ExpectedType<Value>,
  context: Context,
): Steps<Evaluate<Value>> {
  return readMember(
    { name, position },
    expected,
    yield* compileRead(target, expectedDynamic, context),
  );
}
