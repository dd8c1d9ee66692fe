import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { rowOf } from '../service/activity_pages.ts';
import { useInbox } from '../service/reads.ts';
import { ActivityLine, ShortList } from './short_list.tsx';

/** Maximum number of activities to list. */
const mostListed = 3;

/** Lists the activities that wait for the signed-in user's vote. */
export function Waiting() {
  return (
    <ShortList
      title={t('overview.waiting')}
      read={useInbox()}
      rowsOf={(activities) => activities.map(rowOf)}
      none={t('overview.nothingWaits')}
      countText={(count) => t('overview.waits', { count })}
      most={mostListed}
      keyOf={({ id }) => id}
      item={(row) => <ActivityLine row={row} />}
    >
      <p>
        <a href={hrefOf('/approvals')}>{t('overview.review')}</a>
      </p>
    </ShortList>
  );
}
