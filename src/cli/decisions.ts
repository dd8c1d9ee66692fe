// What a decision came to, for people: each policy with its clauses, the failing place under a caret.

import type { ClauseOutcome, Decision, PolicyOutcome } from '../client/errors.ts';
import { visible } from './output.ts';

/** Lines that say why: the reason, then each policy that was asked. */
export function decisionLines({ policies }: Pick<Decision, 'policies'>): readonly string[] {
  return policies.flatMap(policyLines);
}

function policyLines({ policyName, effect, outcome, clauses }: PolicyOutcome): readonly string[] {
  const kind = effect.replace('EFFECT_', '');
  const result = outcome.replace('OUTCOME_', '');
  return [
    `  policy ${visible(policyName)} (${kind}): ${visible(result)}`,
    ...clauses.flatMap(clauseLines),
  ];
}

function clauseLines({ clause, value, failure, ...more }: ClauseOutcome): readonly string[] {
  const came = failure === undefined ? `${value ?? 'not asked'}` : visible(failure.message);
  const expression = 'expression' in more ? String(more.expression) : undefined;
  const line = `    ${clause}: ${came}`;
  if (expression === undefined) return [line];
  const caret =
    failure === undefined ? [] : [`      ${' '.repeat(Math.min(failure.position, 200))}^`];
  return [line, `      ${visible(expression)}`, ...caret];
}
