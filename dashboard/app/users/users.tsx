// Screen "Users": users, and the tags that policies refer to.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Time } from '../../components/small.tsx';
import { Empty, Loaded, Section } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { listText, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { type Read, together, useRead } from '../service/queries.ts';
import {
  type Configs,
  type Tag,
  type User,
  useConfigs,
  useUsers,
  useUserTags,
} from '../service/reads.ts';
import { useSession } from '../session/context.ts';
import { isSessionKey, weakestOf } from './credentials.ts';
import { NewUser } from './new_user.tsx';
import { DeleteTag, NewTag } from './tag_dialogs.tsx';

const pageSize = 100;
/** Number of newest activities to search for the last use. */
const recentCount = 100;

type OpenDialog = 'user' | 'tag' | Tag | undefined;

export default function Users() {
  const users = useUsers();
  const tags = useUserTags();
  const configs = useConfigs();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const close = () => setOpenDialog(undefined);
  return (
    <Screen
      heading={t('screen.users')}
      actions={
        <Button kind="primary" icon="plus" popup="dialog" onClick={() => setOpenDialog('user')}>
          {t('users.new')}
        </Button>
      }
    >
      <Loaded read={together(users, tags, configs)}>
        {([rows, all, { quorum, features }]) => (
          <UserTable
            rows={rows}
            tags={all}
            quorum={quorum}
            areCodesOn={features.some(({ name }) => name === 'FEATURE_NAME_OTP_EMAIL_AUTH')}
          />
        )}
      </Loaded>
      <Section
        title={t('users.tags')}
        actions={
          <Button icon="plus" popup="dialog" onClick={() => setOpenDialog('tag')}>
            {t('users.newTag')}
          </Button>
        }
      >
        <Loaded read={together(tags, users)}>
          {([rows, all]) => <TagTable rows={rows} users={all} onDelete={setOpenDialog} />}
        </Loaded>
      </Section>
      {openDialog === 'user' && <NewUser onClose={close} />}
      {openDialog === 'tag' && <NewTag onClose={close} />}
      {typeof openDialog === 'object' && <DeleteTag tag={openDialog} onClose={close} />}
    </Screen>
  );
}

function LastUse({ ms, isRead }: { readonly ms: number | undefined; readonly isRead: boolean }) {
  if (ms !== undefined) return <Time ms={ms} />;
  return isRead ? <span class="hint">{t('users.notLately', { count: recentCount })}</span> : null;
}

/** Returns the time of each user's last request or vote among the newest activities. */
function useLastUse(): Read<ReadonlyMap<string, number>> {
  const { client } = useSession();
  return useRead(['activities', 'last use'], async (signal) => {
    const paginationOptions = { limit: String(recentCount) };
    const { activities } = await client.query('list_activities', { paginationOptions }, { signal });
    const latest = new Map<string, number>();
    for (const { userId, createdAt } of activities.flatMap(({ votes }) => votes)) {
      latest.set(userId, Math.max(latest.get(userId) ?? 0, msOf(createdAt)));
    }
    return latest;
  });
}

function UserTable({
  rows,
  tags,
  quorum,
  areCodesOn,
}: {
  readonly rows: readonly User[];
  readonly tags: readonly Tag[];
  readonly quorum: Configs['quorum'];
  readonly areCodesOn: boolean;
}) {
  const [count, setCount] = useState(pageSize);
  const lastUse = useLastUse().data;
  const nameOf = new Map(tags.map(({ tagId, tagName }) => [tagId, shown(tagName)]));
  return (
    <Table
      name={t('screen.users')}
      rows={rows.slice(0, count)}
      keyOf={({ userId }) => userId}
      onMore={rows.length > count ? () => setCount(count + pageSize) : undefined}
      columns={{
        [t('users.user')]: ({ userId, userName, userEmail }) => (
          <>
            <a href={hrefOf(`/users/${userId}`)}>{shown(userName)}</a>{' '}
            {quorum.userIds.includes(userId) && <span class="hint">{t('users.inQuorum')}</span>}
            {userEmail && <div class="hint">{shown(userEmail)}</div>}
          </>
        ),
        [t('users.weakest')]: (user) => t(`users.weakest.${weakestOf(user, areCodesOn)}`),
        [t('users.lastUse')]: ({ userId }) => (
          <LastUse ms={lastUse?.get(userId)} isRead={lastUse !== undefined} />
        ),
        [t('users.tags')]: ({ userTags }) => listText(userTags.map((id) => nameOf.get(id) ?? id)),
        [t('users.passkeys')]: { number: ({ authenticators }) => authenticators.length },
        [t('users.apiKeys')]: {
          number: ({ apiKeys }) => apiKeys.filter((key) => !isSessionKey(key)).length,
        },
      }}
    />
  );
}

function TagTable(props: {
  readonly rows: readonly Tag[];
  readonly users: readonly User[];
  readonly onDelete: (tag: Tag) => void;
}) {
  const { rows, users, onDelete } = props;
  if (rows.length === 0) return <Empty text={t('users.noTags')} more={t('users.noTagsText')} />;
  return (
    <Table
      name={t('users.tags')}
      rows={rows}
      keyOf={({ tagId }) => tagId}
      columns={{
        [t('users.tag')]: ({ tagName }) => shown(tagName),
        [t('users.holders')]: ({ tagId }) => {
          const holders = users.filter(({ userTags }) => userTags.includes(tagId));
          return listText(holders.map(({ userName }) => shown(userName)));
        },
        [t('users.tagId')]: ({ tagId }) => (
          <details>
            <summary>{t('action.details')}</summary>
            <Copyable text={tagId} />
          </details>
        ),
        [t('action.actions')]: (tag) => (
          <Button
            kind="quiet"
            popup="dialog"
            label={t('users.deleteTag', { name: shown(tag.tagName) })}
            onClick={() => onDelete(tag)}
          >
            {t('action.delete')}
          </Button>
        ),
      }}
    />
  );
}
