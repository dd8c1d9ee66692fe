// What a session with a profile may do: the scope of the profile, decided before anything else.

import { fail } from '../../errors/errors.ts';
import { newMeter } from '../language/clause.ts';
import { compiledCondition } from '../language/compiled_clauses.ts';
import type { Scope } from '../language/values.ts';

/**
 * Refuses what the scope of a session does not allow; it has to hold for every part of the request.
 * An absent scope allows everything; of what nobody can tell any more it allows nothing. Raises
 * `session_scope_denies`.
 */
export function requireScope(
  scope: string | undefined,
  scopes: (() => readonly Scope[]) | undefined,
): void {
  if (scope === undefined) return;
  if (scopes === undefined) fail('session_scope_denies');
  const clause = compiledCondition(scope);
  const meter = newMeter();
  const holds = scopes().every((each) => {
    const outcome = clause.evaluate(each, meter);
    return 'value' in outcome && outcome.value;
  });
  if (!holds) fail('session_scope_denies');
}
