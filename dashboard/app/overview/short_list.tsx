// The first rows of a list on the overview, and the line of an activity.

import type { ComponentChildren } from 'preact';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { Loaded, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { useKnownAddresses } from '../headlines/known_addresses.ts';
import { hrefOf } from '../paths.ts';
import type { ActivityRow } from '../service/activity_pages.ts';
import type { Reading } from '../service/queries.ts';

/** Shows a sentence about the rows and the first of them, or `none`. */
export function ShortList<Data, Row>(props: {
  readonly title: string;
  readonly read: Reading<Data>;
  readonly rowsOf: (data: Data) => readonly Row[];
  readonly none: string;
  readonly countText?: (count: number) => string;
  /** Maximum number of displayed rows. Default: all. */
  readonly most?: number;
  readonly keyOf: (row: Row) => string;
  readonly item: (row: Row) => ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { title, read, rowsOf, none, countText, most, keyOf, item, children } = props;
  const list = (rows: readonly Row[]) => (
    <>
      {countText && <p>{countText(rows.length)}</p>}
      <ul class="list">
        {rows.slice(0, most).map((row) => (
          <li key={keyOf(row)}>{item(row)}</li>
        ))}
      </ul>
      {children}
    </>
  );
  return (
    <Section title={title}>
      <Loaded read={read}>
        {(data) => {
          const rows = rowsOf(data);
          return rows.length === 0 ? <p>{none}</p> : list(rows);
        }}
      </Loaded>
    </Section>
  );
}

/** Shows `0.5 ETH to 0x0000…dEaD, sign transaction requested by alice`; no amount while unknown. */
export function ActivityLine({ row }: { readonly row: ActivityRow }) {
  const known = useKnownAddresses().data;
  const { transaction } = row.about;
  const payment = transaction && known?.paymentText(row.type, transaction);
  const request = t('approvals.item', { what: activityTitle(row.type), user: row.by });
  return (
    <>
      <a href={hrefOf(`/activities/${row.id}`)}>{payment ?? request}</a>{' '}
      {payment && <span class="hint">{request}</span>}
    </>
  );
}
