import { useState } from 'preact/hooks';
import { Choices, NameField, TextField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Failed } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { type User, useUserTags } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

/** Shows the dialog "Change user". Sends only the changed members. */
export function ChangeUser({
  user,
  onClose,
}: {
  readonly user: User;
  readonly onClose: () => void;
}) {
  const { userId } = user;
  const read = useUserTags();
  const tags = read.data ?? [];
  const [userName, setName] = useState(user.userName);
  const [userEmail, setEmail] = useState(user.userEmail ?? '');
  const [userTagIds, setTags] = useState(user.userTags);
  // The service ignores an empty list of tags, so the last tag cannot be removed here.
  const lastTagGoes = user.userTags.length > 0 && userTagIds.length === 0;
  const request = () =>
    requestOf('update_user', {
      userId,
      ...(userName === user.userName ? {} : { userName }),
      ...(userEmail === '' || userEmail === user.userEmail ? {} : { userEmail }),
      ...(userTagIds === user.userTags ? {} : { userTagIds }),
    });
  return (
    <RequestDialog
      title={t('users.change')}
      request={request}
      said={t('users.changed', { name: shown(userName) })}
      submitLabel={t('action.save')}
      disabled={lastTagGoes}
      onClose={onClose}
    >
      <Failed read={read} />
      <NameField label={t('users.name')} value={userName} onInput={setName} autoFocus />
      <TextField
        label={t('users.email')}
        type="email"
        inputMode="email"
        value={userEmail}
        onInput={setEmail}
        required={user.userEmail !== undefined}
      />
      {tags.length > 0 && (
        <Choices
          legend={t('users.tags')}
          options={tags.map(({ tagId, tagName }) => ({ id: tagId, label: shown(tagName) }))}
          chosen={userTagIds}
          onChange={setTags}
        >
          {lastTagGoes && <p class="problem">{t('users.lastTag')}</p>}
        </Choices>
      )}
    </RequestDialog>
  );
}
