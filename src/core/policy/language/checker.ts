// Checks names and types: turns a tree into a typed tree, or reports the first error.

import { eachInSteps, type StepCounter, type Steps } from '../../base/steps.ts';
import type { StructName } from '../names/structs.ts';
import type { CheckedExpression, Expression, FunctionName } from './ast.ts';
import { maximumInt, maximumLambdas, maximumUint, minimumInt } from './bounds.ts';
import { parseCronSpan } from './cron_span.ts';
import { ExpressionError } from './expression_error.ts';
import { shownWords } from './lexer.ts';
import { isFunctionName } from './parser.ts';
import { nanosecondsOfTimestamp } from './timestamp.ts';
import {
  areComparable,
  bool,
  commonType,
  dynamic,
  int,
  isOrdered,
  listOf,
  mayBe,
  memberNames,
  memberOf,
  type ScalarName,
  showType,
  string,
  type Type,
  timestamp,
  wide,
} from './types.ts';

/** The clauses of a policy, and the struct with the names that each can read. */
export const clauseRoots = {
  condition: 'Condition',
  consensus: 'Consensus',
  time: 'Time',
} as const satisfies { readonly [clause: string]: StructName };

/** The clauses of a policy. */
export type ClauseName = keyof typeof clauseRoots;

/**
 * Returns the expression with the type of every node. The root node is a `bool`, or a map value whose
 * type is found at evaluation. Throws `ExpressionError`.
 */
export function* checkInSteps(
  clause: ClauseName,
  expression: Expression,
): Steps<CheckedExpression> {
  const checked = yield* checkNode(expression, {
    clause,
    variables: new Map(),
    counter: { steps: 0 },
  });
  requireType(checked, 'bool');
  return checked;
}

type Environment = {
  readonly clause: ClauseName;
  /** Variables of the enclosing lambdas. */
  readonly variables: ReadonlyMap<string, Type>;
  readonly counter: StepCounter;
};

const reservedNames: ReadonlySet<string> = new Set(Object.values(clauseRoots).flatMap(memberNames));

/** The clauses that may call each function, and the form of its literal arguments. */
const functions: {
  readonly [name in FunctionName]: {
    readonly clauses: readonly ClauseName[];
    readonly parameters: readonly string[];
    readonly type: Type;
  };
} = {
  Timestamp: { clauses: ['time'], parameters: ['an RFC 3339 time'], type: timestamp },
  CronSpan: {
    clauses: ['time'],
    parameters: ['a cron expression', 'a duration', 'a time zone'],
    type: bool,
  },
  CaseInsensitiveString: {
    clauses: ['condition', 'consensus', 'time'],
    parameters: ['a string'],
    type: string,
  },
};

type NodeOf<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

function* checkNode(node: Expression, environment: Environment): Steps<CheckedExpression> {
  switch (node.kind) {
    case 'boolean':
      return { ...node, type: bool };
    case 'integer':
      return { ...node, type: integerType(node) };
    case 'text':
      return { ...node, type: string };
    case 'list':
      return yield* checkList(node, environment);
    case 'name':
      return { ...node, type: nameType(node, environment) };
    case 'member': {
      const target = yield* checkNode(node.target, environment);
      return { ...node, target, type: memberType(node, target) };
    }
    case 'method':
      return yield* checkMethod(node, environment);
    case 'lambda':
      return yield* checkLambda(node, environment);
    case 'index': {
      const target = yield* checkNode(node.target, environment);
      const index = yield* checkNode(node.index, environment);
      return { ...node, target, index, type: indexType(target, index) };
    }
    case 'slice':
      return yield* checkSlice(node, environment);
    case 'function':
      return yield* checkFunction(node, environment);
    case 'not': {
      const operand = yield* checkNode(node.operand, environment);
      requireType(operand, 'bool');
      return { ...node, operand, type: bool };
    }
    case 'comparison':
      return yield* checkComparison(node, environment);
    case 'and':
    case 'or': {
      const operands = yield* eachInSteps(
        node.operands,
        (operand) => checkNode(operand, environment),
        environment.counter,
      );
      for (const operand of operands) requireType(operand, 'bool');
      return { ...node, operands, type: bool };
    }
  }
}

function integerType({ value, start }: NodeOf<'integer'>): Type {
  if (value >= minimumInt && value <= maximumInt) return int;
  if (value >= 0n && value <= maximumUint) return wide;
  const expected = 'an integer from -2^127 to 2^256-1';
  throw new ExpressionError('number out of range', start, expected, shownWords(value.toString()));
}

function* checkList(node: NodeOf<'list'>, environment: Environment): Steps<CheckedExpression> {
  const items = yield* eachInSteps(
    node.items,
    (item) => checkNode(item, environment),
    environment.counter,
  );
  let element = items[0]?.type ?? dynamic;
  for (const item of items) {
    const common = commonType(element, item.type);
    if (common === undefined) refuseType(item, showType(element));
    element = common;
  }
  return { ...node, items, type: listOf(element) };
}

function nameType({ name, start }: NodeOf<'name'>, environment: Environment): Type {
  const variable = environment.variables.get(name);
  if (variable !== undefined) return variable;
  const root = clauseRoots[environment.clause];
  return memberOf(root, name)?.type ?? refuseName(name, start, memberNames(root));
}

function memberType({ name, position }: NodeOf<'member'>, target: CheckedExpression): Type {
  if (target.type.kind === 'dynamic') return dynamic;
  if (target.type.kind === 'struct') {
    const { struct } = target.type;
    return memberOf(struct, name)?.type ?? refuseName(name, position, memberNames(struct));
  }
  const problem = `field does not exist: ${cut(name)}`;
  const found = showType(target.type);
  const isCall = target.type.kind === 'list' && name === 'count';
  const expected = isCall ? '`count()`' : 'a struct before the dot';
  throw new ExpressionError(problem, position, expected, isCall ? '`count`' : found);
}

function* checkMethod(node: NodeOf<'method'>, environment: Environment): Steps<CheckedExpression> {
  const target = yield* checkNode(node.target, environment);
  const items = yield* eachInSteps(
    node.items,
    (item) => checkNode(item, environment),
    environment.counter,
  );
  const element = elementType(target);
  if (node.name === 'count') {
    refuseCount(node, items.length, 0);
    return { ...node, target, items, type: int };
  }
  refuseCount(node, items.length, 1);
  for (const item of items) requireComparable(item, element);
  return { ...node, target, items, type: bool };
}

function* checkLambda(node: NodeOf<'lambda'>, environment: Environment): Steps<CheckedExpression> {
  const { variable, variablePosition } = node;
  const target = yield* checkNode(node.target, environment);
  const element = elementType(target);
  const isTaken = environment.variables.has(variable) || reservedNames.has(variable);
  if (isTaken || isFunctionName(variable)) {
    const expected = 'a variable with a name of its own';
    throw new ExpressionError('name taken', variablePosition, expected, shownWords(variable));
  }
  if (environment.variables.size === maximumLambdas) {
    const expected = `at most ${maximumLambdas} lambdas inside each other`;
    throw new ExpressionError('expression too deep', node.position, expected, 'one more');
  }
  const variables = new Map([...environment.variables, [variable, element]]);
  const predicate = yield* checkNode(node.predicate, { ...environment, variables });
  requireType(predicate, 'bool');
  return { ...node, target, predicate, type: node.name === 'filter' ? listOf(element) : bool };
}

function indexType(target: CheckedExpression, index: CheckedExpression): Type {
  switch (target.type.kind) {
    case 'list':
      requireType(index, 'int');
      return target.type.element;
    case 'string':
      requireType(index, 'int');
      return string;
    case 'map':
      requireType(index, 'string');
      return target.type.element;
    case 'dynamic':
      if (!mayBe(index.type, 'int')) requireType(index, 'string');
      return dynamic;
    default:
      return refuseType(target, 'a list, a string or a map before the bracket');
  }
}

function* checkSlice(node: NodeOf<'slice'>, environment: Environment): Steps<CheckedExpression> {
  const target = yield* checkNode(node.target, environment);
  const from = yield* checkNode(node.from, environment);
  const to = yield* checkNode(node.to, environment);
  if (target.type.kind !== 'list' && !mayBe(target.type, 'string')) {
    refuseType(target, 'a list or a string before the bracket');
  }
  requireType(from, 'int');
  requireType(to, 'int');
  return { ...node, target, from, to, type: target.type };
}

function* checkFunction(
  node: NodeOf<'function'>,
  environment: Environment,
): Steps<CheckedExpression> {
  const { clauses, parameters, type } = functions[node.name];
  if (!clauses.includes(environment.clause)) {
    const expected = `\`${node.name}\` in ${clauses.join(', ')} only`;
    throw new ExpressionError('unknown function', node.start, expected, environment.clause);
  }
  const items = yield* eachInSteps(
    node.items,
    (item) => checkNode(item, environment),
    environment.counter,
  );
  refuseCount(node, items.length, parameters.length);
  for (const item of items) requireType(item, 'string');
  if (node.name !== 'CaseInsensitiveString') checkLiterals(node, parameters);
  return { ...node, items, type };
}

/** Rejects arguments that are not literals: times and durations are parsed when the policy is saved. */
function checkLiterals(node: NodeOf<'function'>, parameters: readonly string[]): void {
  const texts = node.items.map((item, i) => {
    if (item.kind === 'text') return item.value;
    const expected = `${parameters[i]} in quotes`;
    throw new ExpressionError('not a literal', item.start, expected, 'an expression');
  });
  const [first = '', second = '', third = ''] = texts;
  if (node.name === 'Timestamp') {
    if (nanosecondsOfTimestamp(first) !== undefined) return;
    const expected = 'an RFC 3339 time with zero offset, like `2026-03-01T00:00:00Z`';
    throw new ExpressionError(
      'invalid time',
      node.items[0]?.start ?? 0,
      expected,
      shownWords(first),
    );
  }
  const span = parseCronSpan(first, second, third);
  if (!('argument' in span)) return;
  const item = node.items[span.argument];
  const found = shownWords(texts[span.argument] ?? '');
  throw new ExpressionError('invalid span', item?.start ?? node.start, span.expected, found);
}

function* checkComparison(
  node: NodeOf<'comparison'>,
  environment: Environment,
): Steps<CheckedExpression> {
  const left = yield* checkNode(node.left, environment);
  const right = yield* checkNode(node.right, environment);
  if (node.operator === 'in') {
    requireComparable(left, left.type);
    const element = elementType(right);
    if (!areComparable(left.type, element)) refuseType(right, `list<${showType(left.type)}>`);
  } else {
    requireComparable(left, left.type);
    const ordersOnly = node.operator !== '==' && node.operator !== '!=';
    if (ordersOnly && !isOrdered(left.type)) refuseType(left, 'int, uint or timestamp');
    requireComparable(right, left.type);
    if (ordersOnly && !isOrdered(right.type)) refuseType(right, 'int, uint or timestamp');
  }
  return { ...node, left, right, type: bool };
}

function elementType(target: CheckedExpression): Type {
  if (target.type.kind === 'list') return target.type.element;
  return target.type.kind === 'dynamic' ? dynamic : refuseType(target, 'a list');
}

function requireType(node: CheckedExpression, scalar: ScalarName): void {
  if (!mayBe(node.type, scalar)) refuseType(node, scalar);
}

function requireComparable(node: CheckedExpression, other: Type): void {
  if (areComparable(node.type, other)) return;
  const isOther = areComparable(other, other);
  refuseType(node, isOther ? showType(other) : 'bool, int, uint, string or timestamp');
}

function refuseCount(node: NodeOf<'method' | 'function'>, found: number, expected: number): void {
  if (found === expected) return;
  throw new ExpressionError(
    `wrong number of arguments for \`${node.name}\``,
    node.position,
    `${expected}`,
    `${found}`,
  );
}

function refuseType(node: CheckedExpression, expected: string): never {
  throw new ExpressionError('type mismatch', node.start, expected, showType(node.type));
}

function refuseName(name: string, position: number, names: readonly string[]): never {
  const expected = `one of ${names.join(', ')}`;
  const problem = `field does not exist: ${cut(name)}`;
  throw new ExpressionError(problem, position, expected, shownWords(name));
}

/** Shortens a name, which is ASCII and so can be cut anywhere. */
const cut = (name: string) => (name.length <= 64 ? name : `${name.slice(0, 64)}…`);
