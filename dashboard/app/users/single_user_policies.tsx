// Section "What this user can do alone": policies that allow activities without another user's approval.

import { Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { type Names, useNames } from '../headlines/names.ts';
import { nameWithoutId, shown } from '../service/activity_text.ts';
import { together, useRead } from '../service/queries.ts';
import { type Policy, type User, useConfigs, usePolicies } from '../service/reads.ts';

export function SingleUserPolicies({ user }: { readonly user: User }) {
  const configs = useConfigs();
  const policies = usePolicies();
  const { data: all } = policies;
  // Loads the policy evaluator only for this section.
  const alone = useRead(
    ['alone', user, all?.map(({ policyId, updatedAt }) => [policyId, updatedAt])],
    async () => {
      const [{ sufficesAlone }, { policySentence }] = await Promise.all([
        import('./suffices_alone.ts'),
        import('../policies/sentence.ts'),
      ]);
      return { rows: (all ?? []).filter((policy) => sufficesAlone(policy, user)), policySentence };
    },
  );
  return (
    <Section title={t('users.alone')}>
      <Loaded read={together(configs, policies)}>
        {([{ quorum }]) => (
          <>
            {quorum.threshold === 1 && quorum.userIds.includes(user.userId) && (
              <p>
                <strong>{t('users.aloneRoot')}</strong>
              </p>
            )}
            <Loaded read={alone}>{(found) => <PolicyTable {...found} />}</Loaded>
          </>
        )}
      </Loaded>
      <p class="hint">{t('users.aloneHint')}</p>
    </Section>
  );
}

function PolicyTable({
  rows,
  policySentence,
}: {
  readonly rows: readonly Policy[];
  readonly policySentence: (policy: Policy, names: Names) => string;
}) {
  const names = useNames().data;
  if (rows.length === 0) return <p>{t('users.aloneNothing')}</p>;
  return (
    <Table
      name={t('users.alone')}
      rows={rows}
      keyOf={({ policyId }) => policyId}
      columns={{
        [t('users.policy')]: ({ policyName }) => shown(nameWithoutId(policyName)),
        [t('users.what')]: (policy) => names && policySentence(policy, names),
      }}
    />
  );
}
