// Finds the comparisons that make a clause false, with the values that they read, to explain a refusal to
// people.

import { finish } from '../../base/steps.ts';
import type { CheckedExpression } from './ast.ts';
import type { Clause, Logic } from './clause.ts';
import { compile, compilePart } from './compiler.ts';
import { isStruct, isText } from './expected_type.ts';
import { newFrame } from './frame.ts';
import { print } from './printer.ts';
import { weightInSteps } from './shape.ts';
import { type FactValue, type Scope, shownSpelling } from './values.ts';

/** A false part that makes the whole clause false. */
export type FalsePart = {
  /** Offset in bytes of the UTF-8 text of the clause. */
  readonly position: number;
  /** The canonical text of the part. */
  readonly text: string;
  /** The facts that the part read. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
};

/** Maximum number of parts that explain a clause. */
const maximumParts = 3;
/** Maximum nodes of an explained clause; finding the parts evaluates each node again. */
const maximumWeight = 500;
/** Maximum steps of the evaluation of a part. */
const maximumSteps = 10_000;
const maximumCharacters = 120;
const maximumItems = 5;

/** Returns the parts that make a clause false in a scope; empty for a clause that is long or not false. */
export function falseParts(clause: Clause, scope: Scope, logic: Logic): readonly FalsePart[] {
  const { expression, clause: name } = clause;
  if (finish(weightInSteps(expression)) > maximumWeight) return [];
  const isFalse = (node: CheckedExpression, wanted = false) =>
    compile(name, node)(newFrame(scope, maximumSteps, logic)) === wanted;
  const factOf = (node: CheckedExpression) =>
    compilePart(name, node)(newFrame(scope, maximumSteps, logic));
  const found: FalsePart[] = [];
  const collect = (node: CheckedExpression): void => {
    if (found.length >= maximumParts) return;
    if (node.kind === 'and') {
      for (const operand of node.operands) if (isFalse(operand)) collect(operand);
    } else if (node.kind === 'or') {
      for (const operand of node.operands) collect(operand);
    } else {
      found.push({
        position: node.start,
        text: cut(print(node)),
        values: readsOf(node).flatMap((read) => {
          const fact = factOf(read);
          if (Array.isArray(fact) && node.kind === 'lambda') {
            return [{ name: cut(`${print(read)}.count()`), value: String(fact.length) }];
          }
          const text = textOf(fact);
          return text === undefined ? [] : [{ name: cut(print(read)), value: text }];
        }),
      });
    }
  };
  if (isFalse(expression)) collect(expression);
  return found;
}

/** Returns the operands of a part whose values are not visible in its text. */
function readsOf(node: CheckedExpression): readonly CheckedExpression[] {
  switch (node.kind) {
    case 'not':
      return readsOf(node.operand);
    case 'comparison':
      return [node.left, node.right].filter((side) => !isLiteral(side));
    case 'method':
      return [...node.items, node.target].filter((side) => !isLiteral(side));
    case 'lambda':
      return [node.target];
    case 'boolean':
    case 'function':
    case 'and':
    case 'or':
      return [];
    default:
      return [node];
  }
}

function isLiteral(node: CheckedExpression): boolean {
  if (node.kind === 'list' || node.kind === 'function') return node.items.every(isLiteral);
  return node.kind === 'text' || node.kind === 'integer' || node.kind === 'boolean';
}

/** Returns a value in the spelling of the language; undefined for a value without a short text. */
function textOf(value: FactValue | undefined): string | undefined {
  if (value === undefined) return 'not there';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (isText(value)) return cut(`'${shownSpelling(value)}'`);
  if (Array.isArray(value)) {
    const shown = value.slice(0, maximumItems).map((item) => textOf(item) ?? '…');
    const left = value.length - shown.length;
    return cut(`[${[...shown, ...(left > 0 ? [`… ${left} more`] : [])].join(', ')}]`);
  }
  return isStruct(value) && 'id' in value ? textOf(value['id']) : undefined;
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= maximumCharacters) return text;
  return `${characters.slice(0, maximumCharacters).join('')}…`;
}
