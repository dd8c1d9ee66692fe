// Inspects checked expressions for the compiler: literals, parts, weight, and reads of votes.

import type { Steps } from '../../base/steps.ts';
import { assert } from '../../errors/errors.ts';
import type { CheckedExpression } from './ast.ts';

/** Returns the values of a list of literals; undefined for other nodes. */
export function literalsOf(
  node: CheckedExpression,
): readonly (string | bigint | boolean)[] | undefined {
  if (node.kind !== 'list') return undefined;
  const values: (string | bigint | boolean)[] = [];
  for (const item of node.items) {
    if (item.kind !== 'text' && item.kind !== 'integer' && item.kind !== 'boolean')
      return undefined;
    values.push(item.value);
  }
  return values;
}

/** Returns the text of an argument that the checker verified to be a literal. */
export function literalText(node: CheckedExpression): string {
  assert(node.kind === 'text', 'the argument is a literal');
  return node.value;
}

/**
 * Returns true if a list consists of votes of a consensus: `approvers`, `credentials` or a slice of them, and
 * with `throughFilter` also a filtered list. Variables never have these names.
 */
export function isOfVotes(node: CheckedExpression, throughFilter: boolean): boolean {
  if (node.kind === 'name') return node.name === 'approvers' || node.name === 'credentials';
  const isPart = node.kind === 'slice' || (node.kind === 'lambda' && throughFilter);
  return isPart && isOfVotes(node.target, throughFilter);
}

/** Returns true for the count of a list whose elements may be unknown. */
export function isCountInDoubt(node: CheckedExpression): boolean {
  if (node.kind !== 'method' || node.name !== 'count') return false;
  return node.target.kind === 'lambda' || node.target.kind === 'list';
}

/** Counting as many nodes takes a tenth of a millisecond. */
const nodesOfStep = 1_024;

/** Returns the number of nodes that an evaluation visits, in steps; a list of literals counts as one. */
export function* weightInSteps(node: CheckedExpression): Steps<number> {
  const nodes = [node];
  let counted = 0;
  // The loop also visits nodes that are appended meanwhile.
  for (const next of nodes) {
    counted += 1;
    if (counted % nodesOfStep === 0) yield;
    if (literalsOf(next) === undefined) nodes.push(...childrenOf(next));
  }
  return counted;
}

/** Returns the parts of a node, in the order of the text. */
export function childrenOf(node: CheckedExpression): readonly CheckedExpression[] {
  switch (node.kind) {
    case 'list':
    case 'function':
      return node.items;
    case 'method':
      return [node.target, ...node.items];
    case 'member':
      return [node.target];
    case 'lambda':
      return [node.target, node.predicate];
    case 'index':
      return [node.target, node.index];
    case 'slice':
      return [node.target, node.from, node.to];
    case 'not':
      return [node.operand];
    case 'comparison':
      return [node.left, node.right];
    case 'and':
    case 'or':
      return node.operands;
    default:
      return [];
  }
}
