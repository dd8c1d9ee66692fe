// Screen "Policies": policies, newest first, with the warnings of the service.

import { useLocation } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { later } from '../../components/later.tsx';
import { Screen } from '../../components/screen.tsx';
import { Time } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { noNames, useNames } from '../headlines/names.ts';
import { hrefOf } from '../paths.ts';
import { msOf, nameWithoutId, shown } from '../service/activity_text.ts';
import { together } from '../service/queries.ts';
import { usePolicies } from '../service/reads.ts';
import { Limits } from './limits.tsx';
import { useWarnings } from './reads.ts';
import { policySentence } from './sentence.ts';

const PolicyMap = later<object>(() => import('./policy_map.tsx'));

export default function Policies() {
  const { route } = useLocation();
  const policies = usePolicies();
  const read = together(policies, useWarnings());
  const names = useNames();
  const create = (
    <Button kind="primary" icon="plus" onClick={() => route(hrefOf('/policies/new'))}>
      {t('policies.new')}
    </Button>
  );
  const isEmpty = policies.data?.length === 0;
  return (
    <Screen heading={t('screen.policies')} actions={isEmpty ? undefined : create}>
      <Loaded read={read}>
        {([rows, warnings]) => (
          <Table
            empty={
              <Empty text={t('policies.empty')} more={t('policies.emptyText')}>
                {create}
              </Empty>
            }
            name={t('screen.policies')}
            rows={rows}
            keyOf={({ policyId }) => policyId}
            columns={{
              [t('decision.policy')]: ({ policyId, policyName }) => (
                <a href={hrefOf(`/policies/${policyId}`)}>{shown(nameWithoutId(policyName))}</a>
              ),
              [t('decision.effect')]: ({ effect }) => (
                <span class={`badge ${effect === 'EFFECT_DENY' ? 'refused' : 'done'} plain`}>
                  {t(effect === 'EFFECT_DENY' ? 'decision.deny' : 'decision.allow')}
                </span>
              ),
              [t('policies.says')]: (policy) => policySentence(policy, names.data ?? noNames),
              [t('policies.changed')]: ({ updatedAt }) => <Time ms={msOf(updatedAt)} />,
              [t('policies.warnings')]: {
                number: (policy) =>
                  number(warnings.filter((warning) => warning.policyId === policy.policyId).length),
              },
            }}
          />
        )}
      </Loaded>
      {!isEmpty && <PolicyMap />}
      <Limits />
    </Screen>
  );
}
