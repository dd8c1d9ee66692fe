// Today's payments: amount, recipient and requester.

import { t } from '../../messages/text.ts';
import { typeGroups } from '../activities/type_groups.ts';
import { filters, rowOf } from '../service/activity_pages.ts';
import { useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';
import { ActivityLine, ShortList } from './short_list.tsx';

/** Maximum number of payments to read, and to list. */
const [mostRead, mostListed] = [100, 5];

export function Today() {
  const { client } = useSession();
  const sinceMs = new Date().setHours(0, 0, 0, 0);
  const read = useRead(['activities', 'today', sinceMs], async (signal) => {
    const { activities } = await client.query(
      'list_activities',
      {
        filterByStatus: filters.done,
        filterByType: typeGroups.payments,
        filterByTime: { sinceMs: String(sinceMs) },
        paginationOptions: { limit: String(mostRead) },
      },
      { signal },
    );
    return activities;
  });
  return (
    <ShortList
      title={t('overview.today')}
      read={read}
      rowsOf={(activities) => activities.map(rowOf)}
      none={t('overview.nothingMoved')}
      countText={(count) => t('overview.moved', { count })}
      most={mostListed}
      keyOf={({ id }) => id}
      item={(row) => <ActivityLine row={row} />}
    />
  );
}
