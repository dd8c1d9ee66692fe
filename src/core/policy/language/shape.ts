// The shape of a tree, computed before it is compiled.

import { assert } from '../../errors/errors.ts';
import type { CheckedExpression } from './ast.ts';

/** The values of a list that is written out with literals alone, or undefined. */
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

/** The text of an argument that the checker knows to be a literal. */
export function literalText(node: CheckedExpression): string {
  assert(node.kind === 'text', 'the argument is a literal');
  return node.value;
}

/**
 * Returns true if a list is made of the votes of a consensus: `approvers` or `credentials`, a part of them,
 * or (where wanted) what a predicate kept of them. No variable has these names.
 */
export function isOfVotes(node: CheckedExpression, throughFilter: boolean): boolean {
  if (node.kind === 'name') return node.name === 'approvers' || node.name === 'credentials';
  const isPart = node.kind === 'slice' || (node.kind === 'lambda' && throughFilter);
  return isPart && isOfVotes(node.target, throughFilter);
}

/** Returns true if this counts a list of which not all may be known. */
export function isCountInDoubt(node: CheckedExpression): boolean {
  if (node.kind !== 'method' || node.name !== 'count') return false;
  return node.target.kind === 'lambda' || node.target.kind === 'list';
}

/** Nodes that one evaluation visits; a list of literals is made once, and counts as one. */
export function weightOf(node: CheckedExpression): number {
  if (literalsOf(node) !== undefined) return 1;
  return childrenOf(node).reduce((weight, child) => weight + weightOf(child), 1);
}

/** The parts of a node, in the order of the text. */
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
