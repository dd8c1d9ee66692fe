// Shows a decision to people: each policy with its clauses, and the place where a clause failed.

import { placeIn } from './clause_place.ts';
import { visible } from './output.ts';

type Clause = {
  readonly clause: string;
  readonly value?: boolean | undefined;
  /** The comparisons that made it false, with the values that they read. */
  readonly because?:
    | readonly {
        readonly text: string;
        readonly values: readonly { readonly name: string; readonly value: string }[];
      }[]
    | undefined;
  /** The position counts bytes of the clause's UTF-8 from 0. */
  readonly failure?: { readonly message: string; readonly position: number } | undefined;
};

/** The outcome of one policy; name and effect are absent if it was deleted since. */
export type Policy = {
  readonly policyId: string;
  readonly policyName?: string | undefined;
  readonly effect?: string | undefined;
  readonly outcome: string;
  readonly clauses: readonly Clause[];
};

/** The text of a clause by the id of its policy and its name, where it is known and was not edited since. */
export type ClauseTexts = ReadonlyMap<string, Readonly<Record<string, string | undefined>>>;

/**
 * Lines that say why: each policy that was asked, with its clauses. A clause that failed and whose text is
 * known is shown with a caret below the place.
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

/** Each comparison that made a clause false, and below it the values that it read. */
function reasonLines({ because = [] }: Clause): readonly string[] {
  return because.flatMap(({ text, values }) => [
    `      ${visible(text)}`,
    ...values.map(({ name, value }) => `        ${visible(name)} is ${visible(value)}`),
  ]);
}

/** The line of the clause that failed, and a caret below the place; none where its text is not known. */
function placeLines({ failure }: Clause, text: string | undefined): readonly string[] {
  if (failure === undefined || text === undefined) return [];
  return placeIn(text, failure.position).map((line) => `      ${line}`);
}
