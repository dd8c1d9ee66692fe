import { Status, Time } from '../../components/small.tsx';
import { type Column, PagedTable } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import type { ActivityRow } from '../service/activity_pages.ts';
import { msOf, typeText } from '../service/activity_text.ts';

/** Activities as a table. */
export function ActivityTable(props: {
  readonly name: string;
  readonly pages: readonly (readonly ActivityRow[])[];
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
}) {
  return <PagedTable {...props} keyOf={idOf} columns={columns} />;
}

const idOf = ({ id }: ActivityRow): string => id;

const columns: readonly [Column<ActivityRow>, ...Column<ActivityRow>[]] = [
  {
    heading: t('activities.activity'),
    cell: ({ id, type }) => <a href={hrefOf(`/activities/${id}`)}>{typeText(type)}</a>,
  },
  { heading: t('activities.by'), cell: ({ by }) => by },
  { heading: t('activities.when'), cell: ({ createdAt }) => <Time ms={msOf(createdAt)} /> },
  { heading: t('activities.state'), cell: ({ status }) => <Status status={status} /> },
];
