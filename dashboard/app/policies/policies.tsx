// Policies, newest first, with what the service warns of.

import { useLocation } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { Screen } from '../../components/screen.tsx';
import { Time } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { together } from '../service/queries.ts';
import { usePolicies } from '../service/reads.ts';
import { useWarnings } from './reads.ts';

export default function Policies() {
  const { route } = useLocation();
  const policies = usePolicies();
  const read = together(policies, useWarnings());
  const create = (
    <Button kind="primary" icon="plus" onClick={() => route(hrefOf('/policies/new'))}>
      {t('policies.new')}
    </Button>
  );
  const isEmpty = policies.data?.length === 0;
  return (
    <Screen heading={t('screen.policies')} actions={isEmpty ? undefined : create}>
      <Loaded read={read}>
        {([rows, warnings]) =>
          rows.length === 0 ? (
            <Empty text={t('policies.empty')} more={t('policies.emptyText')}>
              {create}
            </Empty>
          ) : (
            <Table
              name={t('screen.policies')}
              rows={rows}
              keyOf={({ policyId }) => policyId}
              columns={[
                {
                  heading: t('decision.policy'),
                  cell: ({ policyId, policyName }) => (
                    <a href={hrefOf(`/policies/${policyId}`)}>{shown(policyName)}</a>
                  ),
                },
                {
                  heading: t('decision.effect'),
                  cell: ({ effect }) => (
                    <span class={`badge ${effect === 'EFFECT_DENY' ? 'refused' : 'done'} plain`}>
                      {t(effect === 'EFFECT_DENY' ? 'decision.deny' : 'decision.allow')}
                    </span>
                  ),
                },
                {
                  heading: t('decision.consensus'),
                  cell: ({ consensus }) =>
                    consensus === '' ? (
                      <span class="hint">{t('policies.anybody')}</span>
                    ) : (
                      <code class="excerpt">{shown(consensus)}</code>
                    ),
                },
                {
                  heading: t('policies.changed'),
                  cell: ({ updatedAt }) => <Time ms={msOf(updatedAt)} />,
                },
                {
                  heading: t('policies.warnings'),
                  isNumber: true,
                  cell: (policy) =>
                    number(
                      warnings.filter((warning) => warning.policyId === policy.policyId).length,
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Screen>
  );
}
