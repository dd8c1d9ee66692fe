// Caches the compiled clauses of saved policies. A compiled clause takes a hundred times the memory of its
// text, and many organizations may have long policies. When the cache is full, the organization with the
// largest share loses clauses first.

import {
  type Clause,
  type ClauseName,
  compileClause,
  compileClauseInParts,
  ExpressionError,
} from './clause.ts';

/** Maximum total length of the cached clauses' texts. */
const memories = {
  condition: createClauseMemory('condition', 2_000_000),
  consensus: createClauseMemory('consensus', 1_000_000),
  time: createClauseMemory('time', 500_000),
} as const satisfies { readonly [Name in ClauseName]: unknown };

/** Returns the compiled clause of a text, or the problem of the text. */
export function compiledClause(clause: ClauseName, text: string): Clause | ExpressionError {
  return memories[clause].get(text);
}

/**
 * Returns the compiled condition of a text outside policies, which was checked when it was saved. `owner` is
 * the organization whose share it uses.
 */
export function compiledCondition(text: string, owner: string): Clause {
  const clause = memories.condition.get(text, owner);
  if (clause instanceof ExpressionError) throw clause;
  return clause;
}

export type ClauseTexts = { readonly [Name in ClauseName]?: string | undefined };

export const clauseNames = [
  'condition',
  'consensus',
  'time',
] as const satisfies readonly ClauseName[];

/**
 * Compiles the clauses that are not compiled yet, with pauses between the parts. Later synchronous code finds
 * them compiled. `owner` is the organization whose room they use.
 */
export async function compileInParts(
  policies: Iterable<ClauseTexts>,
  { owner, pause }: { readonly owner: string; readonly pause: () => Promise<void> },
): Promise<void> {
  for (const policy of policies) {
    for (const name of clauseNames) {
      const text = policy[name];
      if (text === undefined || memories[name].has(text)) continue;
      await memories[name].compileInParts(text, owner, pause);
      await pause();
    }
  }
}

/** Returns the number of evictions so far. While it stays the same, compiled clauses stay cached. */
export function forgottenClauses(): number {
  return (
    memories.condition.forgotten() + memories.consensus.forgotten() + memories.time.forgotten()
  );
}

type Known = { readonly compiled: Clause | ExpressionError; readonly owner: string };
type Owned = { characters: number; readonly texts: Set<string> };

/** Owner of evicted texts that a decision compiles again. */
const noOwner = '';

/**
 * Creates a cache of this many characters. When it is full, the owner with the most characters loses its
 * oldest clauses.
 */
export function createClauseMemory(clause: ClauseName, maximum: number) {
  const known = new Map<string, Known>();
  const owners = new Map<string, Owned>();
  let characters = 0;
  let forgotten = 0;

  function remember(text: string, compiled: Clause | ExpressionError, owner: string): void {
    if (known.has(text)) return;
    const owned = owners.getOrInsertComputed(owner, () => ({ characters: 0, texts: new Set() }));
    known.set(text, { compiled, owner });
    owned.texts.add(text);
    owned.characters += text.length;
    characters += text.length;
    while (characters > maximum) forgetOne();
  }

  /** Evicts the oldest clause of the owner with the most characters. */
  function forgetOne(): void {
    let most: Owned | undefined;
    let name = noOwner;
    for (const [each, owned] of owners) {
      if (most === undefined || owned.characters > most.characters) [name, most] = [each, owned];
    }
    const [oldest] = most?.texts ?? [];
    if (most === undefined || oldest === undefined) return;
    most.texts.delete(oldest);
    most.characters -= oldest.length;
    characters -= oldest.length;
    if (most.texts.size === 0) owners.delete(name);
    known.delete(oldest);
    forgotten += 1;
  }

  return {
    has: (text: string): boolean => known.has(text),
    /** Returns a compiled clause; compiles it at once if it is not cached. */
    get: (text: string, owner: string = noOwner): Clause | ExpressionError => {
      const found = known.get(text);
      if (found !== undefined) return found.compiled;
      const compiled = orError(() => compileClause(clause, text));
      remember(text, compiled, owner);
      return compiled;
    },
    compileInParts: async (
      text: string,
      owner: string,
      pause: () => Promise<void>,
    ): Promise<void> => {
      const compiled = await compileClauseInParts(clause, text, pause).catch(errorOnly);
      remember(text, compiled, owner);
    },
    forgotten: () => forgotten,
  };
}

function orError(make: () => Clause): Clause | ExpressionError {
  try {
    return make();
  } catch (error) {
    return errorOnly(error);
  }
}

function errorOnly(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  throw error;
}
