// Clauses that were saved, compiled once for as long as there is room: compiled, a clause takes a hundred
// times the memory of its text, and organizations may be many whose policies are long.

import { type Clause, type ClauseName, compileClause, ExpressionError } from './clause.ts';

/** Characters of the texts that are kept compiled. */
const memories = {
  condition: createClauseMemory('condition', 2_000_000),
  consensus: createClauseMemory('consensus', 1_000_000),
  time: createClauseMemory('time', 500_000),
} as const satisfies { readonly [Name in ClauseName]: unknown };

/** A clause of this text, or what is wrong about it. */
export function compiledClause(clause: ClauseName, text: string): Clause | ExpressionError {
  return memories[clause](text);
}

/** A condition that is no policy's; it was checked when it was saved. */
export function compiledCondition(text: string): Clause {
  const clause = compiledClause('condition', text);
  if (clause instanceof ExpressionError) throw clause;
  return clause;
}

/** Creates a memory of so many characters; what was compiled first leaves it first. */
export function createClauseMemory(
  clause: ClauseName,
  maximum: number,
): (text: string) => Clause | ExpressionError {
  const known = new Map<string, Clause | ExpressionError>();
  let characters = 0;
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const compiled = compile(clause, text);
    known.set(text, compiled);
    characters += text.length;
    for (const oldest of known.keys()) {
      if (characters <= maximum) break;
      known.delete(oldest);
      characters -= oldest.length;
    }
    return compiled;
  };
}

function compile(clause: ClauseName, text: string): Clause | ExpressionError {
  try {
    return compileClause(clause, text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}
