// Screen of one user: profile, credentials, and the policies that need no other user.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Terms, Time } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { listText, t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { together } from '../service/queries.ts';
import {
  type Configs,
  type Tag,
  type User,
  useConfigs,
  useQuery,
  useUserTags,
} from '../service/reads.ts';
import { requestOf } from '../service/write.ts';
import { useConfig } from '../session/context.ts';
import { AddApiKey } from './add_api_key.tsx';
import { AddPasskey } from './add_passkey.tsx';
import { ChangeUser } from './change_user.tsx';
import { Credentials } from './credential_tables.tsx';
import { SingleUserPolicies } from './single_user_policies.tsx';

type OpenDialog = 'key' | 'passkey' | 'change' | 'delete' | undefined;

export default function UserScreen() {
  const { params } = useRoute();
  const userId = params['id'] ?? '';
  const hasPasskeys = useConfig().passkeys !== false;
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const read = useQuery(['user', userId], 'get_user', ({ user }) => user, { userId });
  const user = read.data;
  const close = () => setOpenDialog(undefined);
  const actions = user && (
    <>
      <Button icon="keys" popup="dialog" onClick={() => setOpenDialog('key')}>
        {t('users.addKey')}
      </Button>
      {hasPasskeys && (
        <Button icon="passkey" popup="dialog" onClick={() => setOpenDialog('passkey')}>
          {t('users.addPasskey')}
        </Button>
      )}
      <Button icon="pen" popup="dialog" onClick={() => setOpenDialog('change')}>
        {t('users.change')}
      </Button>
      <Button kind="danger" popup="dialog" onClick={() => setOpenDialog('delete')}>
        {t('users.delete')}
      </Button>
    </>
  );
  return (
    <Screen heading={user === undefined ? t('users.user') : shown(user.userName)} actions={actions}>
      <Loaded read={read}>
        {(found) => (
          <>
            <About user={found} />
            <SingleUserPolicies user={found} />
            <Credentials user={found} />
          </>
        )}
      </Loaded>
      {user && openDialog === 'key' && <AddApiKey user={user} onClose={close} />}
      {user && openDialog === 'passkey' && <AddPasskey user={user} onClose={close} />}
      {user && openDialog === 'change' && <ChangeUser user={user} onClose={close} />}
      {user && openDialog === 'delete' && <DeleteUser user={user} onClose={close} />}
    </Screen>
  );
}

function About({ user }: { readonly user: User }) {
  const read = together(useUserTags(), useConfigs());
  return (
    <Loaded read={read}>
      {([tags, { quorum }]) => <AboutTerms user={user} tags={tags} quorum={quorum} />}
    </Loaded>
  );
}

function AboutTerms(props: {
  readonly user: User;
  readonly tags: readonly Tag[];
  readonly quorum: Configs['quorum'];
}) {
  const { user, tags, quorum } = props;
  const { userId, userEmail, userPhoneNumber, userTags, createdAt } = user;
  const nameOf = (id: string) => shown(tags.find(({ tagId }) => tagId === id)?.tagName ?? id);
  const isRoot = quorum.userIds.includes(userId);
  const none = t('users.none');
  return (
    <Terms
      rows={[
        { term: t('users.id'), value: <Copyable text={userId} />, isDetail: true },
        { term: t('users.email'), value: userEmail === undefined ? none : shown(userEmail) },
        { term: t('users.phone'), value: userPhoneNumber ?? none },
        { term: t('users.tags'), value: listText(userTags.map(nameOf)) || none },
        { term: t('users.quorum'), value: t(isRoot ? 'users.isRoot' : 'users.isNotRoot') },
        { term: t('users.created'), value: <Time ms={msOf(createdAt)} /> },
      ]}
    />
  );
}

function DeleteUser({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { route } = useLocation();
  const name = shown(user.userName);
  const request = () => requestOf('delete_users', { userIds: [user.userId] });
  return (
    <Confirm
      title={t('users.deleteNamed', { name })}
      name={user.userName}
      text={t('users.deleteLost')}
      request={request}
      said={t('users.deleted', { name })}
      onDone={() => route(hrefOf('/users'))}
      onClose={onClose}
    />
  );
}
