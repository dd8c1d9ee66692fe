// Lists the policies whose conditions refer to a key or secret.

import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { type Policy, usePolicies } from '../service/reads.ts';

export function NamingPolicies(props: {
  readonly title: string;
  /** Texts to find in the conditions, such as an id. */
  readonly words: readonly string[];
}) {
  const { title, words } = props;
  const policies = usePolicies();
  const reads = ({ condition }: Policy) => words.some((word) => condition.includes(word));
  return (
    <Section title={title}>
      <Loaded read={policies}>
        {(all) => {
          const rows = all.filter(reads);
          if (rows.length === 0) return <p class="hint">{t('custody.noPolicies')}</p>;
          return (
            <Table
              name={title}
              rows={rows}
              keyOf={({ policyId }) => policyId}
              columns={{
                [t('decision.policy')]: ({ policyId, policyName }) => (
                  <a href={hrefOf(`/policies/${policyId}`)}>{shown(policyName)}</a>
                ),
                [t('decision.effect')]: ({ effect }) =>
                  t(effect === 'EFFECT_DENY' ? 'decision.deny' : 'decision.allow'),
                [t('decision.condition')]: ({ condition }) => <code>{shown(condition)}</code>,
              }}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}
