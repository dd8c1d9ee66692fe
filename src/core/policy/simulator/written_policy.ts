import type { ClauseTexts } from '../language/compiled_clauses.ts';

/** Returns a policy in the form of a policy test file, without absent clauses. */
export function writtenPolicy(
  policyName: string,
  { effect, condition, consensus, time }: ClauseTexts & { readonly effect: string },
) {
  const given = Object.entries({ condition, consensus, time }).filter(([, text]) => text);
  return { policyName, effect, ...Object.fromEntries(given) };
}
