// Matches consensus expressions that count users, such as `approvers.count() >= 2`.

import type { CheckedExpression, Tree } from './ast.ts';
import { print } from './printer.ts';
import { childrenOf } from './shape.ts';

/** A consensus that is true once it counts `least` users. */
type PlainCount = {
  readonly least: number;
  /** The text of a consensus that is true for the single vote of a counted user. */
  readonly ofOne: string;
};

/** Returns undefined for an expression that reads credentials, or that does more than count users. */
export function plainCount(tree: CheckedExpression): PlainCount | undefined {
  if (tree.kind === 'lambda' && tree.name === 'any') {
    return isCountable(tree) ? { least: 1, ofOne: print(tree) } : undefined;
  }
  const counted = countOf(tree);
  if (counted === undefined || counted.least < 1n || !isCountable(counted.list)) return undefined;
  return { least: Number(counted.least), ofOne: `${print(counted.list)}.count() >= 1` };
}

/** Matches `list.count() >= n` and `list.count() > n`. Returns the list and the minimum count. */
export function countOf<Mark extends object>(
  tree: Tree<Mark>,
): { readonly list: Tree<Mark>; readonly least: bigint } | undefined {
  if (tree.kind !== 'comparison' || tree.right.kind !== 'integer') return undefined;
  const { left, operator, right } = tree;
  if (left.kind !== 'method' || left.name !== 'count') return undefined;
  if (operator === '>=') return { list: left.target, least: right.value };
  return operator === '>' ? { list: left.target, least: right.value + 1n } : undefined;
}

/** Returns true for `approvers`, and for lambdas over it whose predicate reads only one user. */
function isCountable(list: CheckedExpression): boolean {
  if (list.kind === 'name') return list.name === 'approvers';
  return list.kind === 'lambda' && isCountable(list.target) && !readsVotes(list.predicate);
}

const readsVotes = (tree: CheckedExpression): boolean =>
  readsName(tree, 'approvers') || readsCredentials(tree);

/** Returns true if the value of a consensus may depend on the credentials of votes. */
export const readsCredentials = (tree: CheckedExpression): boolean =>
  readsName(tree, 'credentials');

function readsName(tree: CheckedExpression, name: string): boolean {
  if (tree.kind === 'name') return tree.name === name;
  return childrenOf(tree).some((child) => readsName(child, name));
}
