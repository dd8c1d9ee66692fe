// Screen "Sub-organizations": lists all, or those that match a search.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty, Failed, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { number, t } from '../../messages/text.ts';
import { shortId } from '../headlines/named_ids.ts';
import { hrefOf } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { NewOrganization } from './new_organization.tsx';
import { type Search, searches, useOrganization, useSuborganizations } from './reads.ts';

const pageSize = 20;
const criteria = Object.keys(searches) as readonly Search['by'][];

export default function Organizations() {
  const [search, setSearch] = useState<Search>();
  const [count, setCount] = useState(pageSize);
  const [isNew, setNew] = useState(false);
  const read = useSuborganizations(search, count);
  const create = (
    <Button kind="primary" icon="plus" popup="dialog" onClick={() => setNew(true)}>
      {t('organizations.new')}
    </Button>
  );
  const hasNone = read.data?.ids.length === 0 && search === undefined;
  return (
    <Screen heading={t('screen.organizations')} actions={hasNone ? undefined : create}>
      {!hasNone && <Find onSearch={setSearch} />}
      <Loaded read={read}>
        {({ ids, hasMore }) => {
          if (hasNone) {
            return (
              <Empty text={t('organizations.empty')} more={t('organizations.emptyText')}>
                {create}
              </Empty>
            );
          }
          if (ids.length === 0) return <Empty text={t('organizations.notFound')} />;
          return (
            <Table
              name={t('screen.organizations')}
              rows={ids}
              keyOf={(id) => id}
              isLoadingMore={read.isFetching}
              onMore={hasMore ? () => setCount(count + pageSize) : undefined}
              columns={{
                [t('organizations.name')]: (id) => <Name id={id} />,
                [t('organizations.users')]: { number: (id) => <Count id={id} of="users" /> },
                [t('screen.wallets')]: { number: (id) => <Count id={id} of="wallets" /> },
              }}
            />
          );
        }}
      </Loaded>
      {isNew && <NewOrganization onClose={() => setNew(false)} />}
    </Screen>
  );
}

function Name({ id }: { readonly id: string }) {
  const read = useOrganization(id);
  return (
    <>
      <a href={hrefOf(`/organizations/${id}`)}>{read.data ? shown(read.data.name) : shortId(id)}</a>
      <Failed read={read} />
    </>
  );
}

function Count(props: { readonly id: string; readonly of: 'users' | 'wallets' }) {
  const { data } = useOrganization(props.id);
  return <>{data === undefined ? '' : number(data[props.of].length)}</>;
}

function Find({ onSearch }: { readonly onSearch: (search: Search | undefined) => void }) {
  const [by, setBy] = useState<Search['by']>('NAME');
  const [value, setValue] = useState('');
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(value === '' ? undefined : { by, value });
      }}
    >
      <SelectField
        label={t('organizations.by')}
        value={by}
        options={criteria.map((each) => ({ value: each, label: t(`organizations.by.${each}`) }))}
        onChange={setBy}
      />
      <TextField label={t('organizations.value')} value={value} type="search" onInput={setValue} />
      <Button submits icon="search">
        {t('organizations.find')}
      </Button>
    </form>
  );
}
