// Screen "Activities": the list, newest first. New activities appear without a reload.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded, Loading, Problem } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import {
  type ActivityRow,
  type Filter,
  filters,
  type Narrowing,
  useActivityPages,
} from '../service/activity_pages.ts';
import { announce } from '../service/announcements.ts';
import { downloadText } from '../service/download.ts';
import { useSession } from '../session/context.ts';
import { isLineWith, type LineSources, useLineSources } from './activity_line.ts';
import { ActivityTable } from './activity_table.tsx';
import { type Chosen, Narrow, narrowingOf, nothingChosen, textOf } from './narrow.tsx';

const options = [
  { value: 'all', label: t('activities.filterAll') },
  { value: 'waiting', label: t('activities.filterWaiting') },
  { value: 'done', label: t('activities.filterDone') },
  { value: 'refused', label: t('activities.filterRefused') },
] as const;

/** The search for a text reads pages until it finds this many lines, or has read this many activities. */
const [enoughFound, mostSeen] = [20, 2_000];
const noPages: readonly (readonly ActivityRow[])[] = [];

/** Returns the rows whose line contains a text, without empty pages. */
function linesWith(text: string, pages: typeof noPages, sources: LineSources): typeof noPages {
  const found = pages.map((rows) => rows.filter((row) => isLineWith(text, row, sources)));
  return found.filter((rows) => rows.length > 0);
}

export default function Activities() {
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setChosen] = useState<Chosen>(nothingChosen);
  const narrowing = useMemo(() => narrowingOf(chosen), [chosen]);
  const { read, more, isLoadingMore, error } = useActivityPages(filter, narrowing);
  const all = read.data?.pages ?? noPages;
  const text = textOf(chosen);
  const sources = useLineSources(all);
  const pages = useMemo(
    () => (text === undefined ? all : linesWith(text, all, sources)),
    [text, all, sources.names, sources.known, sources.market],
  );
  const found = pages.reduce((sum, rows) => sum + rows.length, 0);
  const seen = all.reduce((sum, rows) => sum + rows.length, 0);
  const looksOn =
    text !== undefined && found < enoughFound && seen < mostSeen && read.data?.hasMore === true;
  useEffect(() => {
    if (looksOn && error === undefined) void more();
  }, [looksOn, seen]);
  const isNarrowed = filter !== 'all' || chosen !== nothingChosen;
  return (
    <Screen
      heading={t('screen.activities')}
      actions={<Download filter={filter} narrowing={narrowing} />}
    >
      <div class="filters">
        <SelectField
          label={t('activities.filter')}
          value={filter}
          options={options}
          onChange={setFilter}
        />
        <Narrow chosen={chosen} onChange={setChosen} />
      </div>
      <Loaded read={read}>
        {({ hasMore }) =>
          pages[0]?.length ? (
            <ActivityTable
              name={t('screen.activities')}
              pages={pages}
              isLoadingMore={isLoadingMore}
              onMore={hasMore ? () => void more() : undefined}
            />
          ) : isLoadingMore ? (
            <Loading />
          ) : (
            <Empty text={t(isNarrowed ? 'activities.emptyFilter' : 'activities.empty')} />
          )
        }
      </Loaded>
      {error && <Problem error={error} onAgain={() => void more()} />}
    </Screen>
  );
}

/** Maximum activities in one file. For more, use a narrower filter or the command line. */
const maximumInFile = 10_000;

/** Downloads the activities that match the filters as NDJSON, newest first. */
function Download(props: { readonly filter: Filter; readonly narrowing: Narrowing }) {
  const { filter, narrowing } = props;
  const { client } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const download = async () => {
    setBusy(true);
    setError(undefined);
    const lines: string[] = [];
    try {
      for await (const activity of client.pages('list_activities', {
        filterByStatus: filters[filter],
        ...narrowing,
      })) {
        lines.push(`${JSON.stringify(activity)}\n`);
        if (lines.length === maximumInFile) break;
      }
      downloadText('activities.ndjson', lines.join(''), 'application/x-ndjson');
      announce(t('activities.downloaded', { count: lines.length }));
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    }
    setBusy(false);
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void download()}>
        {t('activities.download')}
      </Button>
      {error && <Problem error={error} />}
    </>
  );
}
