// Screen "Approvals": the activities that wait for votes, one of them open.

import { useState } from 'preact/hooks';
import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { useWaiting } from '../service/reads.ts';
import { AllowNotices } from '../shell/notices.tsx';
import { Approval } from './approval.tsx';

export default function Approvals() {
  const waiting = useWaiting();
  // Undefined until the user opens or closes an approval; `null` after the user closed one.
  const [chosen, setChosen] = useState<string | null>();
  const [malformed, setMalformed] = useState<ReadonlySet<string>>(new Set());
  return (
    <Screen heading={t('screen.approvals')} actions={<AllowNotices />}>
      <Loaded read={waiting}>
        {({ own, others }) => {
          const isThere = [...own, ...others].some(({ id }) => id === chosen);
          const first = own.find(({ id }) => !malformed.has(id))?.id;
          const open = chosen === null || isThere ? chosen : first;
          const listed = (id: string) => (
            <Approval
              key={id}
              activityId={id}
              isOpen={id === open}
              onToggle={() => setChosen(id === open ? null : id)}
              onMalformed={() => setMalformed((known) => new Set([...known, id]))}
            />
          );
          return (
            <>
              {own.length === 0 && (
                <Empty text={t('approvals.empty')} more={t('approvals.emptyText')} />
              )}
              {own.map(({ id }) => listed(id))}
              {others.length > 0 && (
                <>
                  <h2>{t('approvals.others')}</h2>
                  <p class="hint">{t('approvals.othersText')}</p>
                </>
              )}
              {others.map(({ id }) => listed(id))}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}
