import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Screen } from '../../components/screen.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { type Draft, emptyDraft, PolicyForm, parametersOf } from './policy_form.tsx';
import { TryIt } from './try_it.tsx';

export default function NewPolicy() {
  const { route } = useLocation();
  const write = useWrite();
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const request = () => requestOf('create_policy', parametersOf(draft));
  const save = async () => {
    const outcome = await write.ask(request(), t('policies.made', { name: draft.policyName }));
    if (outcome !== undefined) route(hrefOf('/policies'));
  };
  return (
    <Screen heading={t('policies.new')} lead={t('policies.newLead')}>
      <PolicyForm
        draft={draft}
        onChange={setDraft}
        write={write}
        request={request}
        onSave={() => void save()}
      />
      <TryIt
        draft={draft}
        change={{
          create: { ...parametersOf(draft), policyName: draft.policyName || t('policies.unnamed') },
        }}
      />
    </Screen>
  );
}
