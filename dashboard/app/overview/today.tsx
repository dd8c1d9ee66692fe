// Today's payments: amount, recipient and requester.

import { Loaded, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { typeGroups } from '../activities/type_groups.ts';
import { useKnownAddresses } from '../headlines/known_addresses.ts';
import { hrefOf } from '../paths.ts';
import { type ActivityRow, filters, rowOf } from '../service/activity_pages.ts';
import { typeText } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';

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
    return activities.map(rowOf);
  });
  return (
    <Section title={t('overview.today')}>
      <Loaded read={read}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{t('overview.nothingMoved')}</p>
          ) : (
            <>
              <p>{t('overview.moved', { count: rows.length })}</p>
              <ul class="list">
                {rows.slice(0, mostListed).map((row) => (
                  <li key={row.id}>
                    <Payment row={row} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** `0.5 ETH to 0x0000…dEaD`, or the activity type if the transaction has no amount. */
function Payment({ row }: { readonly row: ActivityRow }) {
  const known = useKnownAddresses().data;
  const { transaction } = row.about;
  const text = transaction && known?.paymentText(row.type, transaction);
  return (
    <>
      <a href={hrefOf(`/activities/${row.id}`)}>{text ?? typeText(row.type)}</a>{' '}
      <span class="hint">{t('overview.by', { user: row.by })}</span>
    </>
  );
}
