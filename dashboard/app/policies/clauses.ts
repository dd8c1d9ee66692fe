// Finds errors, warnings and completions for the editor with the enclave's lexer, checker and linter.

import type { PolicyEffect } from '../../../src/core/base/enums.ts';
import { clauseRoots } from '../../../src/core/policy/language/checker.ts';
import {
  type Clause,
  type ClauseName,
  ExpressionError,
} from '../../../src/core/policy/language/clause.ts';
import { compiledClause } from '../../../src/core/policy/language/compiled_clauses.ts';
import { type Token, tokensOf } from '../../../src/core/policy/language/lexer.ts';
import {
  memberNames,
  memberOf,
  structOf,
  type Type,
} from '../../../src/core/policy/language/types.ts';
import { lintPolicy } from '../../../src/core/policy/lint/lint.ts';
import { unitsAt } from './positions.ts';

export type { ClauseName } from '../../../src/core/policy/language/clause.ts';

/** An error or a warning with a range of one clause. Offsets are UTF-16 units. */
export type Remark = {
  readonly clause: ClauseName;
  readonly from: number;
  readonly to: number;
  readonly message: string;
};

type Texts = Readonly<Record<ClauseName, string>>;

/** A token of an expression, which the editor shows in one colour. */
type Piece = { readonly from: number; readonly to: number; readonly kind: Token['kind'] };

export const clauseNames: readonly ClauseName[] = ['condition', 'consensus', 'time'];

/** The checker needs these features. Without them, only the service checks expressions. */
export const canCheck = 'Temporal' in globalThis && 'toHex' in Uint8Array.prototype;

/** Returns the first error of an expression; undefined for a valid or empty expression. */
export function problemOf(clause: ClauseName, text: string): Remark | undefined {
  if (text === '' || !canCheck) return undefined;
  const compiled = compiledClause(clause, text);
  if (!(compiled instanceof ExpressionError)) return undefined;
  const from = unitsAt(text, compiled.position);
  return { clause, from, to: endOf(text, from), message: compiled.message };
}

/** Warns of valid expressions that the author probably did not intend. Ignores invalid expressions. */
export function warningsOf(effect: PolicyEffect, texts: Texts): readonly Remark[] {
  if (!canCheck) return [];
  const read = clauseNames.map(
    (name): readonly [ClauseName, Clause | ExpressionError | undefined] => [
      name,
      texts[name] === '' ? undefined : compiledClause(name, texts[name]),
    ],
  );
  const clauses: Partial<Record<ClauseName, Clause>> = {};
  for (const [name, clause] of read) {
    if (clause instanceof ExpressionError) return [];
    if (clause !== undefined) clauses[name] = clause;
  }
  const { condition, consensus, time } = clauses;
  // Without a hash function the linter skips the letter case of Ethereum addresses. The service checks it
  // when it stores a policy.
  return lintPolicy({ effect, condition, consensus, time }, undefined).map(
    ({ clause, position, message }) => {
      const from = unitsAt(texts[clause], position);
      return { clause, from, to: endOf(texts[clause], from), message };
    },
  );
}

/** Splits an expression into tokens, up to the first invalid character. */
export function piecesOf(text: string): readonly Piece[] {
  const tokens = readable(text);
  let [bytes, at] = [0, 0];
  const place = (target: number): number => {
    at += unitsAt(text.slice(at, at + target - bytes), target - bytes);
    bytes = target;
    return at;
  };
  return tokens.flatMap(({ kind, start, end }) =>
    kind === 'end' ? [] : [{ kind, from: place(start), to: place(end) }],
  );
}

function readable(text: string): readonly Token[] {
  try {
    return tokensOf(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const until = unitsAt(text, error.position);
    // Only the text before the invalid character has tokens.
    return until < text.length ? readable(text.slice(0, until)) : [];
  }
}

function endOf(text: string, from: number): number {
  const piece = piecesOf(text).find((each) => each.from <= from && from < each.to);
  return Math.min(text.length, Math.max(piece?.to ?? 0, from + 1));
}

/**
 * Returns the names that can complete the path before the cursor, and the offset where the last name begins.
 */
export function namesAfter(
  clause: ClauseName,
  before: string,
): { readonly from: number; readonly names: readonly string[] } | undefined {
  const [path = ''] = /(?:[A-Za-z_]\w*\.)*(?:[A-Za-z_]\w*)?$/.exec(before) ?? [];
  const segments = path.split('.');
  const typed = segments.pop() ?? '';
  let type: Type = structOf(clauseRoots[clause]);
  for (const segment of segments) {
    if (type.kind !== 'struct') return undefined;
    const member = memberOf(type.struct, segment);
    if (member === undefined) return undefined;
    type = member.type;
  }
  const names = namesOf(type, segments.length === 0);
  return names.length === 0 ? undefined : { from: before.length - typed.length, names };
}

const listMethods: readonly string[] = ['any', 'all', 'filter', 'contains', 'count'];

function namesOf(type: Type, isFirst: boolean): readonly string[] {
  if (type.kind === 'struct') return [...memberNames(type.struct), ...(isFirst ? ['true'] : [])];
  return type.kind === 'list' ? listMethods : [];
}
