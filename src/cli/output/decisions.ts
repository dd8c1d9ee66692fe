// Formats a decision: each policy with its clauses, and the position of a failed clause.

import { placeIn } from './clause_place.ts';
import { visible } from './output.ts';

type Clause = {
  readonly clause: string;
  readonly value?: boolean | undefined;
  /** The comparisons that made the clause false, with their values. */
  readonly because?:
    | readonly {
        readonly text: string;
        readonly values: readonly { readonly name: string; readonly value: string }[];
      }[]
    | undefined;
  /** The position counts UTF-8 bytes from 0. */
  readonly failure?: { readonly message: string; readonly position: number } | undefined;
};

/** The outcome of one policy. Name and effect are absent if it was deleted since. */
export type Policy = {
  readonly policyId: string;
  readonly policyName?: string | undefined;
  readonly effect?: string | undefined;
  readonly outcome: string;
  readonly clauses: readonly Clause[];
};

/**
 * Clause texts by policy id and clause name. Contains only texts that are known and unchanged since the
 * decision.
 */
export type ClauseTexts = ReadonlyMap<string, Readonly<Record<string, string | undefined>>>;

/**
 * Returns lines for each evaluated policy and its clauses. Adds a caret to a failed clause if its text is
 * known.
 */
export function decisionLines(
  { policies }: { readonly policies: readonly Policy[] },
  texts: ClauseTexts = new Map(),
): readonly string[] {
  return policies.flatMap((policy) => policyLines(policy, texts));
}

function policyLines(policy: Policy, texts: ClauseTexts): readonly string[] {
  const { policyId, policyName = policyId, effect, outcome, clauses } = policy;
  const kind = effect?.replace('EFFECT_', '') ?? 'deleted since';
  const result = outcome.replace('OUTCOME_', '');
  return [
    `  policy ${visible(policyName)} (${visible(kind)}): ${visible(result)}`,
    ...clauses.flatMap((clause) => [
      clauseLine(clause),
      ...reasonLines(clause),
      ...placeLines(clause, texts.get(policyId)?.[clause.clause]),
    ]),
  ];
}

function clauseLine({ clause, value, failure }: Clause): string {
  const came = failure === undefined ? `${value ?? 'not asked'}` : visible(failure.message);
  return `    ${visible(clause)}: ${came}`;
}

/** Returns the comparisons that made a clause false, each with its values. */
function reasonLines({ because = [] }: Clause): readonly string[] {
  return because.flatMap(({ text, values }) => [
    `      ${visible(text)}`,
    ...values.map(({ name, value }) => `        ${visible(name)} is ${visible(value)}`),
  ]);
}

/** Returns a failed clause with a caret; no lines if its text is unknown. */
function placeLines({ failure }: Clause, text: string | undefined): readonly string[] {
  if (failure === undefined || text === undefined) return [];
  return placeIn(text, failure.position).map((line) => `      ${line}`);
}
