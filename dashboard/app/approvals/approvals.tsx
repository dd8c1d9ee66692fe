// The inbox of approvals: each one as its submitter signed it.

import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { useInbox } from '../service/reads.ts';
import { AllowNotices } from '../shell/notices.tsx';
import { Approval } from './approval.tsx';

export default function Approvals() {
  const inbox = useInbox();
  return (
    <Screen heading={t('screen.approvals')} actions={<AllowNotices />}>
      <Loaded read={inbox}>
        {(waiting) =>
          waiting.length === 0 ? (
            <Empty text={t('approvals.empty')} more={t('approvals.emptyText')} />
          ) : (
            waiting.map(({ id }) => <Approval key={id} activityId={id} />)
          )
        }
      </Loaded>
    </Screen>
  );
}
