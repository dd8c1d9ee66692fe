// Shows a decision to people: each policy with its clauses.

import { visible } from './output.ts';

type Clause = {
  readonly clause: string;
  readonly value?: boolean | undefined;
  readonly failure?: { readonly message: string } | undefined;
};

/** The outcome of one policy; name and effect are absent if it was deleted since. */
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
    ...clauses.map(clauseLine),
  ];
}

function clauseLine({ clause, value, failure }: Clause): string {
  const came = failure === undefined ? `${value ?? 'not asked'}` : visible(failure.message);
  return `    ${visible(clause)}: ${came}`;
}
