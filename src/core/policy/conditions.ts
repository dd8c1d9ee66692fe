import { createRecentCache } from '../recent_cache.ts';
import { type Clause, compileClause } from './language/clause.ts';

const maximumCompiledConditions = 1_000;
const compiled = createRecentCache<Clause>(maximumCompiledConditions);

/** A condition that is no policy's, compiled; it was checked when it was saved. */
export function compiledCondition(text: string): Clause {
  const clause = compiled.get(text) ?? compileClause('condition', text);
  compiled.set(text, clause);
  return clause;
}
