import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { activityTitle } from '../../../src/core/activity/activity_title.ts';
import { Status, Time } from '../../components/small.tsx';
import { type Columns, PagedTable } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import type { ActivityRow } from '../service/activity_pages.ts';
import { msOf } from '../service/activity_text.ts';
import { deedOf, noSources, useLineSources } from './activity_line.ts';

const Sources = createContext(noSources);

/** Shows activities as a table. Adds names and amounts once their reads finish. */
export function ActivityTable(props: {
  readonly name: string;
  readonly pages: readonly (readonly ActivityRow[])[];
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
}) {
  return (
    <Sources.Provider value={useLineSources(props.pages)}>
      <PagedTable {...props} keyOf={idOf} columns={columns} />
    </Sources.Provider>
  );
}

const idOf = ({ id }: ActivityRow): string => id;

function What({ row }: { readonly row: ActivityRow }) {
  return (
    <>
      {deedOf(row, useContext(Sources)).map((text) => (
        <span key={text} class="what">
          {text}{' '}
        </span>
      ))}
    </>
  );
}

const columns: Columns<ActivityRow> = {
  [t('activities.activity')]: (row) => (
    <>
      <a href={hrefOf(`/activities/${row.id}`)}>{activityTitle(row.type)}</a> <What row={row} />
    </>
  ),
  [t('activities.by')]: ({ by }) => by,
  [t('activities.when')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
  [t('activities.state')]: ({ status }) => <Status status={status} />,
};
