// Facts about a checked expression for the linter: the names it needs, the values it compares with, and the
// equalities it requires.

import { endsStep, finish, type StepCounter, type Steps } from '../../base/steps.ts';
import type { CheckedExpression } from '../language/ast.ts';
import { print } from '../language/printer.ts';
import { childrenOf } from '../language/shape.ts';
import { transactionNamespaces } from '../names/structs.ts';

/** A comparison with literals. */
export type Comparison = {
  /** Struct and member: `Wallet.id`; `[]` for an element, `[..]` for a part of a text. */
  readonly key: string;
  readonly subject: CheckedExpression;
  readonly literals: readonly Literal[];
};

export type Literal = Extract<CheckedExpression, { kind: 'text' | 'integer' | 'boolean' }>;

/** A requirement: the clause is false unless the subject has one of these values. */
export type Demand = {
  /** The canonical text of the subject. */
  readonly subject: string;
  readonly key: string;
  readonly literals: readonly Literal[];
};

/** A namespace that an expression reads, in the form of `canShow`, and its position. */
export type NeededName = { readonly name: string; readonly position: number };

/**
 * Returns the namespaces that must be present for all parts to have a value, without duplicates, in the order
 * of the text. Predicates of lambdas count only for literal lists, because other lists may be empty.
 */
export function neededNames(...parts: readonly CheckedExpression[]): readonly NeededName[] {
  const [whole] = parts;
  if (whole === undefined || parts.length > 1) return namesIn(parts);
  return readNames.getOrInsertComputed(whole, () => namesIn(parts));
}

/** Reads an expression in steps, and fills the caches for whole expressions. */
export function* readInSteps(expression: CheckedExpression): Steps<void> {
  if (!readComparisons.has(expression)) {
    readComparisons.set(expression, yield* comparisonsInSteps(expression));
    yield;
  }
  if (!readNames.has(expression)) {
    readNames.set(expression, yield* namesInSteps([expression]));
    yield;
  }
  if (readDemands.has(expression)) return;
  readDemands.set(expression, yield* demandsInSteps(conjuncts(expression)));
  yield;
}

function namesIn(parts: readonly CheckedExpression[]): readonly NeededName[] {
  return finish(namesInSteps(parts));
}

function* namesInSteps(parts: readonly CheckedExpression[]): Steps<readonly NeededName[]> {
  const found = new Map<string, NeededName>();
  const counter = { steps: 0 };
  const visit = (node: CheckedExpression): void => {
    const name = nameRead(node);
    if (name !== undefined && !found.has(name)) found.set(name, { name, position: node.start });
    for (const child of plainChildrenOf(node)) visit(child);
    if (node.kind !== 'lambda') return;
    visit(node.target);
    if (isWrittenOut(node.target)) visit(node.predicate);
  };
  for (const part of parts) yield* eachTerm(part, visit, counter);
  return [...found.values()].sort((one, other) => one.position - other.position);
}

/** Returns every comparison with literals, also inside lambdas. */
export function comparisons(expression: CheckedExpression): readonly Comparison[] {
  return readComparisons.getOrInsertComputed(expression, comparisonsIn);
}

/** Caches for whole expressions, which several rules share. */
const readNames = new WeakMap<CheckedExpression, readonly NeededName[]>();
const readComparisons = new WeakMap<CheckedExpression, readonly Comparison[]>();
const readDemands = new WeakMap<CheckedExpression, readonly Demand[]>();
const readAlternatives = new WeakMap<CheckedExpression, Alternatives>();

function comparisonsIn(expression: CheckedExpression): readonly Comparison[] {
  return finish(comparisonsInSteps(expression));
}

function* comparisonsInSteps(expression: CheckedExpression): Steps<readonly Comparison[]> {
  const found: Comparison[] = [];
  const visit = (node: CheckedExpression, variables: Variables): void => {
    const comparison = comparisonIn(node, variables);
    if (comparison !== undefined) found.push(comparison);
    for (const child of plainChildrenOf(node)) visit(child, variables);
    if (node.kind !== 'lambda') return;
    visit(node.target, variables);
    const key = `${keyOf(node.target, variables)}[]`;
    visit(node.predicate, new Map([...variables, [node.variable, key]]));
  };
  const none: Variables = new Map();
  yield* eachTerm(expression, (term) => visit(term, none), { steps: 0 });
  return found;
}

/**
 * Visits the operands of all nested `&&`, `||` and `!`, which have neither names nor comparisons of their
 * own. A step has several operands.
 */
function* eachTerm(
  node: CheckedExpression,
  visit: (term: CheckedExpression) => void,
  counter: StepCounter,
): Steps<void> {
  if (node.kind === 'not') return yield* eachTerm(node.operand, visit, counter);
  if (node.kind !== 'and' && node.kind !== 'or') return visit(node);
  for (const operand of node.operands) {
    const isChain = operand.kind === 'and' || operand.kind === 'or' || operand.kind === 'not';
    if (isChain) yield* eachTerm(operand, visit, counter);
    else visit(operand);
    if (endsStep(counter)) yield;
  }
}

/** Returns the requirements of parts that must all hold, one for each comparison with literals. */
export function demands(parts: readonly CheckedExpression[]): readonly Demand[] {
  return finish(demandsInSteps(parts));
}

/** Returns the requirements of a whole expression. */
export function demandsOf(expression: CheckedExpression): readonly Demand[] {
  return readDemands.getOrInsertComputed(expression, () => demands(conjuncts(expression)));
}

function* demandsInSteps(parts: readonly CheckedExpression[]): Steps<readonly Demand[]> {
  const counter = { steps: 0 };
  const found: Demand[] = [];
  for (const part of parts) {
    const demand = yield* demandOf(part, counter);
    if (demand !== undefined) found.push(demand);
  }
  return found;
}

/** Returns the operands of the outermost `&&`, or the expression itself. */
export function conjuncts(expression: CheckedExpression): readonly CheckedExpression[] {
  const found: CheckedExpression[] = [];
  const visit = (node: CheckedExpression): void => {
    if (node.kind !== 'and') found.push(node);
    else for (const operand of node.operands) visit(operand);
  };
  visit(expression);
  return found;
}

/** Maximum total number of parts in all alternatives. Beyond it, the whole expression is one alternative. */
const maximumParts = 512;

type Alternatives = readonly (readonly CheckedExpression[])[];

/** An alternative of an expression, and the namespaces that it reads. */
export type NamedAlternative = {
  readonly parts: readonly CheckedExpression[];
  readonly names: readonly NeededName[];
};

/** Returns the alternatives of an expression with their names. A single one has the names of the whole. */
export function namedAlternatives(expression: CheckedExpression): readonly NamedAlternative[] {
  const alternatives = alternativesOf(expression);
  const isSingle = alternatives.length === 1;
  return alternatives.map((parts) => ({
    parts,
    names: isSingle ? neededNames(expression) : namesIn(parts),
  }));
}

/** Returns the alternatives under which the expression can hold, each with its parts. */
function alternativesOf(expression: CheckedExpression): Alternatives {
  return readAlternatives.getOrInsertComputed(expression, alternativesIn);
}

function alternativesIn(expression: CheckedExpression): Alternatives {
  const undivided = [conjuncts(expression)];
  if (expression.kind !== 'or' && expression.kind !== 'and') return undivided;
  // Each operand has at least one part.
  if (expression.operands.length > maximumParts) return undivided;
  const operands = expression.operands.map(alternativesIn);
  if (expression.kind === 'or') {
    const found = operands.flat();
    return sum(found.map(({ length }) => length)) > maximumParts ? undivided : found;
  }
  const number = operands.reduce((product, { length }) => product * length, 1);
  const parts = sum(operands.map((each) => Math.max(...each.map(({ length }) => length))));
  if (number * parts > maximumParts) return undivided;
  // Operands without alternatives belong to every combination.
  let found = [operands.flatMap((each) => (each.length === 1 ? each.flat() : []))];
  for (const each of operands) {
    if (each.length === 1) continue;
    found = found.flatMap((before) => each.map((more) => [...before, ...more]));
  }
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

type Variables = ReadonlyMap<string, string>;

/** Structs whose members are namespaces of their own, by the name before the dot. */
const namespaceRoots: ReadonlyMap<string, string> = new Map([
  ...transactionNamespaces.map(({ root, namespace }) => [namespace, root] as const),
  ['ActivityParams', 'params'],
]);
const plainRoots = ['wallet', 'wallets', 'wallet_account', 'private_key', 'secret'];

function nameRead(node: CheckedExpression): string | undefined {
  if (node.kind === 'name') return plainRoots.includes(node.name) ? node.name : undefined;
  if (node.kind !== 'member') return undefined;
  const { type } = node.target;
  // Checks the type, since a variable or a list element may also be the namespace.
  const root = type.kind === 'struct' ? namespaceRoots.get(type.struct) : undefined;
  return root === undefined ? undefined : `${root}.${node.name}`;
}

/** Returns true for a literal list that is not empty. */
function isWrittenOut(node: CheckedExpression): boolean {
  if (node.kind === 'list') return node.items.length > 0;
  return (node.kind === 'slice' || node.kind === 'index') && isWrittenOut(node.target);
}

/** Returns the children without the parts of a lambda, whose visitor must know its variable. */
function plainChildrenOf(node: CheckedExpression): readonly CheckedExpression[] {
  return node.kind === 'lambda' ? [] : childrenOf(node);
}

function comparisonIn(node: CheckedExpression, variables: Variables): Comparison | undefined {
  const sides = sidesOf(node);
  if (sides === undefined) return undefined;
  const { subject, literals, isElement } = sides;
  const key = keyOf(subject, variables);
  return { key: isElement ? `${key}[]` : key, subject, literals };
}

type Sides = {
  readonly subject: CheckedExpression;
  readonly literals: readonly Literal[];
  /** The values are compared with the elements of the subject. */
  readonly isElement: boolean;
};

function sidesOf(node: CheckedExpression): Sides | undefined {
  const [left, right] = pairOf(node);
  if (left === undefined || right === undefined) return undefined;
  if (node.kind === 'method' || (node.kind === 'comparison' && node.operator === 'in')) {
    if (right.kind === 'list' && !isLiteral(left)) return sides(left, right.items, false);
    return isLiteral(left) && right.kind !== 'list' ? sides(right, [left], true) : undefined;
  }
  if (isLiteral(right) && !isLiteral(left)) return sides(left, [right], false);
  if (isLiteral(left) && !isLiteral(right)) return sides(right, [left], false);
  return undefined;
}

/** Returns the value and the list of `in` and `contains`, in this order. */
function pairOf(node: CheckedExpression): readonly (CheckedExpression | undefined)[] {
  if (node.kind === 'comparison') return [node.left, node.right];
  return node.kind === 'method' && node.name === 'contains' ? [node.items[0], node.target] : [];
}

function sides(
  subject: CheckedExpression,
  items: readonly CheckedExpression[],
  isElement: boolean,
): Sides | undefined {
  const literals = items.filter(isLiteral);
  return literals.length === 0 || literals.length < items.length
    ? undefined
    : { subject, literals, isElement };
}

function isLiteral(node: CheckedExpression): node is Literal {
  return node.kind === 'text' || node.kind === 'integer' || node.kind === 'boolean';
}

function keyOf(node: CheckedExpression, variables: Variables): string {
  switch (node.kind) {
    case 'member':
      return node.target.type.kind === 'struct' ? `${node.target.type.struct}.${node.name}` : '';
    case 'name':
      return variables.get(node.name) ?? node.name;
    case 'index':
      return `${keyOf(node.target, variables)}[]`;
    case 'slice':
      return node.type.kind === 'list'
        ? keyOf(node.target, variables)
        : `${keyOf(node.target, variables)}[..]`;
    case 'lambda':
      return keyOf(node.target, variables);
    default:
      return '';
  }
}

function* demandOf(node: CheckedExpression, counter: StepCounter): Steps<Demand | undefined> {
  if (endsStep(counter)) yield;
  if (node.kind === 'or') {
    let first: Demand | undefined;
    const literals: Literal[] = [];
    for (const operand of node.operands) {
      const demand = yield* demandOf(operand, counter);
      first ??= demand;
      if (demand === undefined || demand.subject !== first?.subject) return undefined;
      literals.push(...demand.literals);
    }
    return first && { ...first, literals };
  }
  const isEquality =
    node.kind === 'method' ||
    (node.kind === 'comparison' && (node.operator === '==' || node.operator === 'in'));
  const found = isEquality ? sidesOf(node) : undefined;
  if (found === undefined || found.isElement) return undefined;
  const key = keyOf(found.subject, new Map());
  return { subject: print(found.subject), key, literals: found.literals };
}
