// Evaluates an expression on a scope with both implementations, and shrinks the cases in which they differ.

import { compileClause, ExpressionError } from '../../src/core/policy/language/clause.ts';
import type { FactStruct, FactValue } from '../../src/core/policy/language/values.ts';
import { type ClauseName, check } from './checker.ts';
import { pieces } from './expressions.ts';
import { evaluate, type Outcome, type Purpose } from './interpreter.ts';
import { Refused, read } from './reader.ts';

export type Case = {
  readonly clause: ClauseName;
  readonly purpose: Purpose;
  readonly text: string;
  readonly scope: FactStruct;
};

/** The verdicts of both implementations if they disagree. */
export type Difference = { readonly reference: string; readonly product: string };

/** The outcome of a case on which both agree, for counting, or the difference. */
export type Comparison = { readonly agreed: string } | { readonly difference: Difference };

/** Compares whether both accept the case, and the value or the failure. */
export function compare(one: Case): Comparison {
  const reference = ofReference(one);
  const product = ofProduct(one);
  if (agree(reference, product)) return { agreed: `${one.purpose} ${spell(reference)}` };
  return { difference: { reference: spell(reference), product: spell(product) } };
}

/** Returns a smaller case that still differs, by leaving out tokens and facts. */
export function shrink(found: Case): Case {
  let smallest = found;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smaller(smallest)) {
      if (!('difference' in compare(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** Returns the case as text that can be read and run again. */
export function describe(
  { clause, purpose, text, scope }: Case,
  { reference, product }: Difference,
) {
  return [
    `${clause} to ${purpose}   ${text}`,
    `facts       ${JSON.stringify(scope, spellValue)}`,
    `reference   ${reference}`,
    `product     ${product}`,
  ].join('\n');
}

type Result =
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'value'; readonly value: boolean }
  | { readonly kind: 'failure'; readonly code: string; readonly met: ReadonlySet<string> };

function ofReference({ clause, purpose, text, scope }: Case): Result {
  try {
    const tree = read(text);
    return resultOf(evaluate(tree, check(clause, tree), clause, scope, purpose));
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', message: error.message };
    throw error;
  }
}

function ofProduct({ clause, purpose, text, scope }: Case): Result {
  try {
    const logic = purpose === 'forbid' ? 'three_valued' : 'strict';
    const outcome = compileClause(clause, text).evaluate(scope, undefined, logic);
    if ('value' in outcome) return { kind: 'value', value: outcome.value };
    const { code } = outcome.failure;
    return { kind: 'failure', code, met: new Set([code]) };
  } catch (error) {
    if (error instanceof ExpressionError) return { kind: 'refused', message: error.message };
    return { kind: 'broken', message: error instanceof Error ? String(error.stack) : '' };
  }
}

function resultOf(outcome: Outcome): Result {
  if ('value' in outcome) return { kind: 'value', value: outcome.value };
  return { kind: 'failure', code: outcome.failure, met: outcome.met };
}

function agree(reference: Result, product: Result): boolean {
  if (reference.kind === 'value') {
    return product.kind === 'value' && product.value === reference.value;
  }
  if (reference.kind !== 'failure' || product.kind !== 'failure') {
    return reference.kind === product.kind;
  }
  // The reported failure depends on the positions of several failures; its class does not.
  const sameClass = [reference, product].map(({ code }) => code === 'namespace_absent');
  const met = new Set([...reference.met].map(foldedCode));
  return sameClass[0] === sameClass[1] && met.has(foldedCode(product.code));
}

/** A number out of range in a place for another type may be reported as either fault. */
function foldedCode(code: string): string {
  return code === 'number_out_of_range' ? 'type_mismatch' : code;
}

function spell(result: Result): string {
  switch (result.kind) {
    case 'value':
      return String(result.value);
    case 'failure':
      return `failure ${result.code}`;
    default:
      return result.kind === 'broken' ? `broken ${result.message}` : 'refused';
  }
}

function* smaller(found: Case): Generator<Case> {
  const parts = pieces(found.text);
  for (let length = parts.length >> 1; length > 0; length >>= 1) {
    for (let at = 0; at + length <= parts.length; at += 1) {
      const text = [...parts.slice(0, at), ...parts.slice(at + length)].join('');
      if (text.length < found.text.length) yield { ...found, text };
    }
  }
  for (const scope of smallerStructs(found.scope, 2)) yield { ...found, scope };
}

function* smallerStructs(struct: FactStruct, depth: number): Generator<FactStruct> {
  for (const [name, value] of Object.entries(struct)) {
    const { [name]: _, ...others } = struct;
    yield others;
    if (depth > 0 && value !== undefined && isStruct(value)) {
      for (const inner of smallerStructs(value, depth - 1)) yield { ...struct, [name]: inner };
    }
  }
}

function isStruct(value: FactValue): value is FactStruct {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Map);
}

function spellValue(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Map ? { map: [...value] } : value;
}
