// What a decision came to, for people: each policy with its clauses, the failing place under a caret.

import { visible } from './output.ts';

type Clause = {
  readonly clause: string;
  readonly value?: boolean | undefined;
  readonly failure?: { readonly position: number; readonly message: string } | undefined;
};

/** What one policy came to; name and effect are absent of one that was deleted since. */
type Policy = {
  readonly policyId: string;
  readonly policyName?: string | undefined;
  readonly effect?: string | undefined;
  readonly outcome: string;
  readonly clauses: readonly Clause[];
};

/** Lines that say why: each policy that was asked, with its clauses. */
export function decisionLines({
  policies,
}: {
  readonly policies: readonly Policy[];
}): readonly string[] {
  return policies.flatMap(policyLines);
}

function policyLines(policy: Policy): readonly string[] {
  const { policyId, policyName = policyId, effect, outcome, clauses } = policy;
  const kind = effect?.replace('EFFECT_', '') ?? 'deleted since';
  const result = outcome.replace('OUTCOME_', '');
  return [
    `  policy ${visible(policyName)} (${visible(kind)}): ${visible(result)}`,
    ...clauses.flatMap(clauseLines),
  ];
}

function clauseLines({ clause, value, failure, ...more }: Clause): readonly string[] {
  const came = failure === undefined ? `${value ?? 'not asked'}` : visible(failure.message);
  const expression = 'expression' in more ? String(more.expression) : undefined;
  const line = `    ${visible(clause)}: ${came}`;
  if (expression === undefined) return [line];
  const caret =
    failure === undefined ? [] : [`      ${' '.repeat(Math.min(failure.position, 200))}^`];
  return [line, `      ${visible(expression)}`, ...caret];
}
