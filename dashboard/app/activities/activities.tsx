// Screen "Activities": the list, newest first. New activities appear without a reload.

import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Loaded, Problem } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import {
  type Filter,
  filters,
  type Narrowing,
  useActivityPages,
} from '../service/activity_pages.ts';
import { announce } from '../service/announcements.ts';
import { downloadText } from '../service/download.ts';
import { useSession } from '../session/context.ts';
import { ActivityTable } from './activity_table.tsx';
import { type Chosen, Narrow, narrowingOf, nothingChosen } from './narrow.tsx';

const options = [
  { value: 'all', label: t('activities.filterAll') },
  { value: 'waiting', label: t('activities.filterWaiting') },
  { value: 'done', label: t('activities.filterDone') },
  { value: 'refused', label: t('activities.filterRefused') },
] as const;

export default function Activities() {
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setChosen] = useState<Chosen>(nothingChosen);
  const narrowing = useMemo(() => narrowingOf(chosen), [chosen]);
  const { read, more, isLoadingMore, error } = useActivityPages(filter, narrowing);
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
        {({ pages, hasMore }) =>
          pages[0]?.length ? (
            <ActivityTable
              name={t('screen.activities')}
              pages={pages}
              isLoadingMore={isLoadingMore}
              onMore={hasMore ? () => void more() : undefined}
            />
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
