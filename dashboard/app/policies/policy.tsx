// Screen of one policy: shows, changes and deletes it, and shows the warnings of the service.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Terms, Time } from '../../components/small.tsx';
import { Loaded, Problem, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { noNames, useNames } from '../headlines/names.ts';
import { hrefOf } from '../paths.ts';
import { msOf, nameWithoutId, shown } from '../service/activity_text.ts';
import { type Policy, useQuery } from '../service/reads.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { clauseNames } from './clauses.ts';
import { type Draft, PolicyForm } from './policy_form.tsx';
import { useWarnings } from './reads.ts';
import { policySentence } from './sentence.ts';
import { TryIt } from './try_it.tsx';

export default function PolicyScreen() {
  const { params } = useRoute();
  const policyId = params['id'] ?? '';
  const names = useNames();
  const [isDeleting, setDeleting] = useState(false);
  const read = useQuery(['policy', policyId], 'get_policy', ({ policy }) => policy, { policyId });
  return (
    <Screen
      heading={
        read.data === undefined ? t('decision.policy') : shown(nameWithoutId(read.data.policyName))
      }
      actions={
        read.data && (
          <Button kind="danger" popup="dialog" onClick={() => setDeleting(true)}>
            {t('policies.delete')}
          </Button>
        )
      }
    >
      <Loaded read={read}>
        {(policy) => (
          <>
            <p class="sentence">
              {t('policies.savedSentence', {
                sentence: policySentence(policy, names.data ?? noNames),
              })}
            </p>
            <Terms
              rows={[
                {
                  term: t('policies.id'),
                  value: <Copyable text={policy.policyId} />,
                  isDetail: true,
                },
                { term: t('policies.created'), value: <Time ms={msOf(policy.createdAt)} /> },
                { term: t('policies.changed'), value: <Time ms={msOf(policy.updatedAt)} /> },
              ]}
            />
            <ServiceWarnings policyId={policy.policyId} />
            <Edited key={policyId} policy={policy} />
            {isDeleting && <DeletePolicy policy={policy} onClose={() => setDeleting(false)} />}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Edited({ policy }: { readonly policy: Policy }) {
  const write = useWrite();
  const { policyName, effect, condition, consensus, notes, time = '' } = policy;
  const [draft, setDraft] = useState<Draft>({
    policyName,
    effect,
    condition,
    consensus,
    notes,
    time,
  });
  const changes = changesOf(policy, draft);
  const update = { policyId: policy.policyId, ...changes };
  const request = () => requestOf('update_policy', update);
  const save = () => write.ask(request(), t('policies.updated', { name: draft.policyName }));
  return (
    <>
      <PolicyForm
        draft={draft}
        stored={policy}
        onChange={setDraft}
        write={write}
        request={request}
        onSave={() => void save()}
        isUnchanged={Object.keys(changes).length === 0}
      />
      <TryIt draft={draft} stored={policy} change={{ update }} />
    </>
  );
}

/** Returns the changed members, in the form of `update_policy`. */
function changesOf(policy: Policy, draft: Draft) {
  const { time = '' } = policy;
  return {
    ...(draft.policyName === policy.policyName ? {} : { policyName: draft.policyName }),
    ...(draft.effect === policy.effect ? {} : { policyEffect: draft.effect }),
    ...(draft.condition === policy.condition ? {} : { policyCondition: draft.condition }),
    ...(draft.consensus === policy.consensus ? {} : { policyConsensus: draft.consensus }),
    ...(draft.notes === policy.notes ? {} : { policyNotes: draft.notes }),
    ...(draft.time === time ? {} : { time: draft.time }),
  };
}

function ServiceWarnings({ policyId }: { readonly policyId: string }) {
  const { data: all, error } = useWarnings();
  const warnings = all?.filter((warning) => warning.policyId === policyId) ?? [];
  // Without data, a failed read must not look like a policy without warnings.
  if (all === undefined && error !== null) return <Problem error={error} />;
  if (warnings.length === 0) return null;
  return (
    <Section title={t('policies.serviceWarnings')}>
      <ul class="list">
        {warnings.map(({ code, clause, position, message }) => (
          <li key={`${code} ${clause} ${position}`}>
            {t('policies.warning', {
              clause: clauseNames.includes(clause) ? t(`decision.${clause}`) : clause,
              message: shown(message),
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function DeletePolicy(props: { readonly policy: Policy; readonly onClose: () => void }) {
  const { policy, onClose } = props;
  const { policyId, policyName } = policy;
  const { route } = useLocation();
  const request = () => requestOf('delete_policy', { policyId });
  return (
    <Confirm
      title={t('policies.deleteTitle', { name: shown(policyName) })}
      text={t(policy.effect === 'EFFECT_DENY' ? 'policies.deleteDeny' : 'policies.deleteAllow')}
      name={policyName}
      request={request}
      said={t('policies.deleted', { name: policyName })}
      onDone={() => route(hrefOf('/policies'))}
      onClose={onClose}
    />
  );
}
