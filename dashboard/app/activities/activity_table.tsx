import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { Status, Time } from '../../components/small.tsx';
import { type Column, PagedTable } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { type Known, useKnownAddresses } from '../headlines/known_addresses.ts';
import { type Names, noNames, useNames } from '../headlines/names.ts';
import { hrefOf } from '../paths.ts';
import type { ActivityRow } from '../service/activity_pages.ts';
import { msOf, shown, typeText } from '../service/activity_text.ts';
import { thingsOf } from './about.ts';

type Told = { readonly names: Names; readonly known: Known | undefined };

const ReportedNames = createContext<Told>({ names: noNames, known: undefined });

/** Shows activities as a table. Adds names and amounts once their reads finish. */
export function ActivityTable(props: {
  readonly name: string;
  readonly pages: readonly (readonly ActivityRow[])[];
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
}) {
  const names = useNames().data ?? noNames;
  const known = useKnownAddresses().data;
  return (
    <ReportedNames.Provider value={{ names, known }}>
      <PagedTable {...props} keyOf={idOf} columns={columns} />
    </ReportedNames.Provider>
  );
}

const idOf = ({ id }: ActivityRow): string => id;

/** Shows `0.5 ETH to 0x0000…dEaD` for a payment, else the names of the things in the parameters. */
function What({ row }: { readonly row: ActivityRow }) {
  const { names, known } = useContext(ReportedNames);
  const { type, about } = row;
  const payment =
    about.transaction === undefined ? undefined : known?.paymentText(type, about.transaction);
  if (payment !== undefined) return <span class="what">{payment}</span>;
  return (
    <>
      {thingsOf(about, names).map((thing) => (
        <span key={thing} class="what">
          {t('activities.thing', { thing: shown(thing) })}{' '}
        </span>
      ))}
    </>
  );
}

const columns: readonly [Column<ActivityRow>, ...Column<ActivityRow>[]] = [
  {
    heading: t('activities.activity'),
    cell: (row) => (
      <>
        <a href={hrefOf(`/activities/${row.id}`)}>{typeText(row.type)}</a> <What row={row} />
      </>
    ),
  },
  { heading: t('activities.by'), cell: ({ by }) => by },
  { heading: t('activities.when'), cell: ({ createdAt }) => <Time ms={msOf(createdAt)} /> },
  { heading: t('activities.state'), cell: ({ status }) => <Status status={status} /> },
];
