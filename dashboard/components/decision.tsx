// Shows why an activity was allowed, waits or was refused: a sentence, and the result of each clause.

import { useId } from 'preact/hooks';
import { Named } from '../app/headlines/named.tsx';
import { nameWithoutId, shown } from '../app/service/activity_text.ts';
import { t } from '../messages/text.ts';
import { outcomeText } from './outcome_text.ts';
import { Table } from './table.tsx';

type Clause = {
  readonly clause: string;
  readonly value?: boolean | undefined;
  readonly because?:
    | readonly {
        readonly text: string;
        readonly values: readonly { readonly name: string; readonly value: string }[];
      }[]
    | undefined;
  readonly failure?: { readonly message: string } | undefined;
};

type Policy = {
  readonly policyId: string;
  readonly policyName?: string | undefined;
  readonly effect?: string | undefined;
  readonly outcome: string;
  readonly clauses: readonly Clause[];
};

type Decided = { readonly message: string; readonly policies: readonly Policy[] };

/** Shows the decision as a region with a heading. */
export function Decision({ decision }: { readonly decision: Decided }) {
  const id = useId();
  return (
    <section class="part decision" aria-labelledby={id}>
      <h2 id={id}>{t('decision.heading')}</h2>
      <DecisionText decision={decision} />
    </section>
  );
}

/** Shows the sentence and the table of policies, without a region. */
export function DecisionText({ decision }: { readonly decision: Decided }) {
  const { message, policies } = decision;
  return (
    <>
      <p>
        <Named text={message} />
      </p>
      {policies.length === 0 ? (
        <p class="hint">{t('decision.none')}</p>
      ) : (
        <Table
          name={t('decision.policies')}
          rows={policies}
          keyOf={({ policyId }) => policyId}
          columns={{
            [t('decision.policy')]: ({ policyName, policyId }) =>
              shown(nameWithoutId(policyName ?? policyId)),
            [t('decision.effect')]: ({ effect }) => effectText(effect),
            [t('decision.outcome')]: ({ effect, outcome }) => outcomeText(effect, outcome),
            [t('decision.condition')]: clauseCell('condition'),
            [t('decision.consensus')]: clauseCell('consensus'),
            [t('decision.time')]: clauseCell('time'),
          }}
        />
      )}
    </>
  );
}

function effectText(effect: string | undefined): string {
  if (effect === undefined) return t('decision.deleted');
  return t(effect === 'EFFECT_DENY' ? 'decision.deny' : 'decision.allow');
}

const clauseCell =
  (name: string) =>
  ({ clauses }: Policy) => {
    const found = clauses.find(({ clause }) => clause === name);
    if (found?.failure !== undefined)
      return (
        <span class="bad">
          <Named text={found.failure.message} />
        </span>
      );
    if (found?.value === undefined) return <span class="hint">{t('decision.notAsked')}</span>;
    if (found.value) return t('decision.true');
    return (
      <>
        <strong>{t('decision.false')}</strong>
        {(found.because ?? []).map(({ text, values }) => (
          <div key={text} class="because">
            <code>
              <Named text={text} />
            </code>
            {values.map(({ name: fact, value }) => (
              <div key={fact}>
                <Named text={t('decision.factIs', { fact, value })} />
              </div>
            ))}
          </div>
        ))}
      </>
    );
  };
