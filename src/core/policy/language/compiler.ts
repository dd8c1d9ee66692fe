// Typed tree → closures. A closure gives its value, or notes a failure and gives undefined. Both
// sides of an operator and all elements of a list are evaluated, whatever the others gave.

import { assert } from '../../errors/errors.ts';
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
  admit,
  type ExpectedType,
  expectedBoolean,
  expectedDynamic,
  expectedList,
  expectedNumber,
  expectedOf,
  expectedText,
  expectedTimestamp,
  isStruct,
  misfitFailures,
} from './expected_type.ts';
import { type Evaluate, failureAt, joined, limitAt, note, spend, stepsOfText } from './frame.ts';
import { filterEach, type Lambda, testEach, type Variable } from './lambda.ts';
import type { StructName } from './namespaces.ts';
import { type CountRange, type Elements, PartialList } from './partial_list.ts';
import { bracketFailures, elementOf, partOf } from './parts.ts';
import { follow, type PathStep, readPath, stepOf } from './path.ts';
import { isCountInDoubt, isOfVotes, literalsOf, literalText, weightOf } from './shape.ts';
import { nanosecondsOfTimestamp } from './timestamp.ts';
import { type FactStruct, type FactValue, type Text, withoutCase } from './values.ts';

/** The closure of a checked clause. */
export function compile(clause: ClauseName, expression: CheckedExpression): Evaluate<boolean> {
  return compileBoolean(expression, { root: clauseRoots[clause], variables: new Map() });
}

type Context = {
  readonly root: StructName;
  /** The variables of the lambdas around a node. */
  readonly variables: ReadonlyMap<string, Variable>;
};

type NodeOf<Kind extends CheckedExpression['kind']> = Extract<CheckedExpression, { kind: Kind }>;

/** Counts that occur are small: each is made a bigint once. */
const smallCounts = Array.from({ length: 256 }, (_, count) => BigInt(count));

function compileBoolean(node: CheckedExpression, context: Context): Evaluate<boolean> {
  switch (node.kind) {
    case 'boolean': {
      const { value } = node;
      return () => value;
    }
    case 'not': {
      const operand = compileBoolean(node.operand, context);
      return (frame) => {
        const value = operand(frame);
        return value === undefined ? undefined : !value;
      };
    }
    case 'and':
    case 'or':
      return compileChain(node, context);
    case 'comparison':
      return compileComparison(node, context);
    case 'method': {
      const [element] = node.items;
      assert(element !== undefined, '`contains` has an argument');
      return compileSearch(element, node.target, node.position, context);
    }
    case 'lambda':
      assert(node.name !== 'filter', 'a filtered list is no bool');
      return testEach(compileLambda(node, context), node.name);
    case 'function':
      return compileCronSpan(node);
    default:
      return compileRead(node, expectedBoolean, context);
  }
}

function compileChain(node: NodeOf<'and' | 'or'>, context: Context): Evaluate<boolean> {
  const operands = node.operands.map((operand) => compileBoolean(operand, context));
  // The value of an operand that decides alone: false for `&&`, true for `||`.
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

function compileComparison(node: NodeOf<'comparison'>, context: Context): Evaluate<boolean> {
  const { operator, left, right, position } = node;
  if (operator === 'in') return compileSearch(left, right, position, context);
  if (operator !== '==' && operator !== '!=') {
    const areTimes = left.type.kind === 'timestamp' || right.type.kind === 'timestamp';
    const compileOrdered = areTimes ? compileTimes : compileNumbers;
    return compileOrdered(left, right, operator, context);
  }
  const isEqual = operator === '==';
  if (isCountInDoubt(left) || isCountInDoubt(right)) {
    return compileNumbers(left, right, operator, context);
  }
  if (left.type.kind === 'dynamic' || right.type.kind === 'dynamic') {
    const message = 'only values of the same simple type can be compared';
    return compareValues(compileValue(left, context), compileValue(right, context), isEqual, {
      mismatch: failureAt(position, 'type_mismatch', message),
      limit: limitAt(position),
    });
  }
  switch (left.type.kind) {
    case 'string': {
      const limit = limitAt(position);
      if (right.kind === 'text') {
        return compareWithLiteral(compileText(left, context), right.value, isEqual, limit);
      }
      return compareTexts(compileText(left, context), compileText(right, context), isEqual, limit);
    }
    case 'bool':
      return compareBooleans(
        compileBoolean(left, context),
        compileBoolean(right, context),
        isEqual,
      );
    case 'timestamp':
      return compileTimes(left, right, operator, context);
    default:
      return compileNumbers(left, right, operator, context);
  }
}

type Ordering = Exclude<ComparisonOperator, 'in'>;
type Side = CheckedExpression;

function compileTimes(left: Side, right: Side, operator: Ordering, context: Context) {
  return compareNumbers(
    compileTimestamp(left, context),
    compileTimestamp(right, context),
    operator,
  );
}

function compileNumbers(left: Side, right: Side, operator: Ordering, context: Context) {
  if (!isCountInDoubt(left) && !isCountInDoubt(right)) {
    return compareNumbers(compileNumber(left, context), compileNumber(right, context), operator);
  }
  return compareCounts(compileCount(left, context), compileCount(right, context), operator);
}

/** `element in list`, which is `list.contains(element)`. */
function compileSearch(
  element: CheckedExpression,
  list: CheckedExpression,
  position: number,
  context: Context,
): Evaluate<boolean> {
  const literals = literalsOf(list);
  if (literals !== undefined && element.type.kind === 'string') {
    const texts = literals.filter((value) => typeof value === 'string');
    if (texts.length === literals.length) return searchTexts(compileText(element, context), texts);
  }
  if (literals !== undefined && (element.type.kind === 'int' || element.type.kind === 'uint')) {
    const numbers = literals.filter((value) => typeof value === 'bigint');
    if (numbers.length === literals.length) {
      return searchNumbers(compileNumber(element, context), numbers);
    }
  }
  const inList = list.type.kind === 'list' ? list.type.element : list.type;
  const expected = expectedOf(inList);
  const message = 'the element cannot be compared with those of the list';
  return searchList(compileValue(element, context), compileElements(list, context), expected, {
    element: misfitFailures(position, expected),
    mismatch: failureAt(position, 'type_mismatch', message),
    limit: limitAt(position),
  });
}

function compileLambda(node: NodeOf<'lambda'>, context: Context): Lambda {
  const variable: Variable = { element: undefined };
  const variables = new Map([...context.variables, [node.variable, variable]]);
  return {
    list: compileElements(node.target, context),
    variable,
    predicate: compileBoolean(node.predicate, { ...context, variables }),
    weight: weightOf(node.predicate),
    isOverVotes: isOfVotes(node.target, true),
    limit: limitAt(node.position),
  };
}

function compileTimestamp(node: CheckedExpression, context: Context): Evaluate<bigint> {
  if (node.kind !== 'function') return compileRead(node, expectedTimestamp, context);
  const [text = ''] = node.items.map(literalText);
  const nanoseconds = nanosecondsOfTimestamp(text);
  assert(nanoseconds !== undefined, 'the checker read the time');
  return () => nanoseconds;
}

function compileNumber(node: CheckedExpression, context: Context): Evaluate<bigint> {
  if (node.kind === 'integer') {
    const { value } = node;
    return () => value;
  }
  if (node.kind !== 'method') return compileRead(node, expectedNumber(node.type), context);
  const count = compileCount(node, context);
  return (frame) => {
    const value = count(frame);
    return typeof value === 'bigint' ? value : undefined;
  };
}

/** How many elements a list has, or between which numbers that is; any other number as it is. */
function compileCount(node: CheckedExpression, context: Context): Evaluate<bigint | CountRange> {
  if (node.kind !== 'method') return compileNumber(node, context);
  const list = compileElements(node.target, context);
  const countsVotes = isOfVotes(node.target, false);
  return (frame) => {
    if (countsVotes) frame.isConcerned = true;
    const elements = list(frame);
    if (elements === undefined) return undefined;
    if (elements instanceof PartialList) return elements.count();
    return smallCounts[elements.length] ?? BigInt(elements.length);
  };
}

/** An index as a number: inexact only far beyond every length. */
function compileIndex(node: CheckedExpression, context: Context): Evaluate<number> {
  if (node.kind === 'integer') {
    const index = Number(node.value);
    return () => index;
  }
  const index = compileNumber(node, context);
  return (frame) => {
    const value = index(frame);
    return value === undefined ? undefined : Number(value);
  };
}

function compileText(node: CheckedExpression, context: Context): Evaluate<Text> {
  if (node.kind === 'text') {
    const { value } = node;
    return () => value;
  }
  if (node.kind !== 'function') return compileRead(node, expectedText, context);
  const [item] = node.items;
  assert(item !== undefined, 'the function has an argument');
  const text = compileText(item, context);
  const limit = limitAt(node.position);
  return (frame) => {
    const value = text(frame);
    if (typeof value !== 'string') return value && withoutCase(value);
    return spend(frame, stepsOfText(value.length), limit) ? withoutCase(value) : undefined;
  };
}

/** A list that is wanted whole. */
function compileList(node: CheckedExpression, context: Context): Evaluate<readonly FactValue[]> {
  const elements = compileElements(node, context);
  return (frame) => {
    const list = elements(frame);
    return list instanceof PartialList ? undefined : list;
  };
}

function compileElements(node: CheckedExpression, context: Context): Evaluate<Elements> {
  if (node.kind === 'lambda') return filterEach(compileLambda(node, context));
  if (node.kind !== 'list') return compileRead(node, expectedList, context);
  const literals = literalsOf(node);
  if (literals !== undefined) return () => literals;
  const items = node.items.map((item) => compileValue(item, context));
  const limit = limitAt(node.position);
  return (frame) => {
    if (!spend(frame, items.length, limit)) return undefined;
    const values: FactValue[] = [];
    for (const item of items) {
      const value = item(frame);
      if (value !== undefined) values.push(value);
    }
    if (values.length === items.length) return values;
    if (frame.isStrict) return undefined;
    return new PartialList({ values, doubtful: [], unknown: items.length - values.length });
  };
}

function compileValue(node: CheckedExpression, context: Context): Evaluate<FactValue> {
  switch (node.type.kind) {
    case 'bool':
      return compileBoolean(node, context);
    case 'int':
    case 'uint':
    case 'wide':
      return compileNumber(node, context);
    case 'string':
      return compileText(node, context);
    case 'timestamp':
      return compileTimestamp(node, context);
    case 'list':
      return compileList(node, context);
    default:
      return compileRead(node, expectedOf(node.type), context);
  }
}

/** A fact: by its name, as a member, or out of a list, a map or a text. */
function compileRead<Value extends FactValue>(
  node: CheckedExpression,
  expected: ExpectedType<Value>,
  context: Context,
): Evaluate<Value> {
  switch (node.kind) {
    case 'name':
      return compilePath(node, expected, context);
    case 'member':
      return node.target.type.kind === 'struct'
        ? compilePath(node, expected, context)
        : compileDynamicMember(node, expected, context);
    case 'index': {
      const target = compileValue(node.target, context);
      const index = compileValue(node.index, context);
      const failures = bracketFailures(node.position);
      const misfits = misfitFailures(node.position, expected);
      return (frame) => {
        const owner = target(frame);
        const at = index(frame);
        if (owner === undefined || at === undefined) return undefined;
        const value = elementOf(frame, owner, at, failures);
        return value === undefined ? undefined : admit(frame, value, expected, misfits);
      };
    }
    case 'slice': {
      const target = compileValue(node.target, context);
      const from = compileIndex(node.from, context);
      const to = compileIndex(node.to, context);
      const failures = bracketFailures(node.position);
      const misfits = misfitFailures(node.position, expected);
      return (frame) => {
        const owner = target(frame);
        const start = from(frame);
        const end = to(frame);
        if (owner === undefined || start === undefined || end === undefined) return undefined;
        const part = partOf(frame, owner, start, end, failures);
        return part === undefined ? undefined : admit(frame, part, expected, misfits);
      };
    }
    default:
      throw new Error(`assertion failed: a ${node.kind} is read as ${expected.name}`);
  }
}

/** A name, or members of structs one below the other: one closure for the whole path. */
function compilePath<Value extends FactValue>(
  node: NodeOf<'name' | 'member'>,
  expected: ExpectedType<Value>,
  context: Context,
): Evaluate<Value> {
  const steps: PathStep[] = [];
  let base: CheckedExpression = node;
  while (base.kind === 'member' && base.target.type.kind === 'struct') {
    steps.unshift(stepOf(base.target.type.struct, base, base.target.position));
    base = base.target;
  }
  const misfits = misfitFailures(node.position, expected);
  const variable = base.kind === 'name' ? context.variables.get(base.name) : undefined;
  if (variable !== undefined && steps.length === 0) {
    return (frame) => admit(frame, variable.element, expected, misfits);
  }
  if (variable !== undefined) {
    return (frame) => {
      const value = follow(frame, variable.element, steps);
      return value === undefined ? undefined : admit(frame, value, expected, misfits);
    };
  }
  if (base.kind === 'name') {
    return readPath([stepOf(context.root, base, base.position), ...steps], expected, misfits);
  }
  const owner = compileRead(base, expectedOf(base.type), context);
  return (frame) => {
    const struct = owner(frame);
    if (struct === undefined) return undefined;
    const value = follow(frame, struct, steps);
    return value === undefined ? undefined : admit(frame, value, expected, misfits);
  };
}

/** A member of a value inside a map, which may be no struct. */
function compileDynamicMember<Value extends FactValue>(
  { target, name, position }: NodeOf<'member'>,
  expected: ExpectedType<Value>,
  context: Context,
): Evaluate<Value> {
  const owner = compileRead(target, expectedDynamic, context);
  const absent = failureAt(position, 'member_missing', `there is no ${name}`);
  const misfits = misfitFailures(position, expected);
  return (frame) => {
    const value = owner(frame);
    if (value === undefined) return undefined;
    if (!isStruct(value)) return note(frame, misfits.type);
    const members: FactStruct = value;
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    return member === undefined ? note(frame, absent) : admit(frame, member, expected, misfits);
  };
}
