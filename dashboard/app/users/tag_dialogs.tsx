import { useState } from 'preact/hooks';
import { Confirm } from '../../components/confirm.tsx';
import { Choices, NameField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Failed } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { type Tag, useUsers } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

const maximumOffered = 100;

export function NewTag({ onClose }: { readonly onClose: () => void }) {
  const read = useUsers();
  const users = read.data ?? [];
  const [userTagName, setName] = useState('');
  const [userIds, setUserIds] = useState<readonly string[]>([]);
  const request = () => requestOf('create_user_tag', { userTagName, userIds });
  return (
    <RequestDialog
      title={t('users.newTag')}
      request={request}
      said={t('users.tagMade', { name: userTagName })}
      onClose={onClose}
    >
      <Failed read={read} />
      <NameField label={t('users.tagName')} value={userTagName} onInput={setName} autoFocus />
      <Choices
        legend={t('users.holders')}
        options={users
          .slice(0, maximumOffered)
          .map(({ userId, userName }) => ({ id: userId, label: shown(userName) }))}
        chosen={userIds}
        onChange={setUserIds}
      />
    </RequestDialog>
  );
}

export function DeleteTag({ tag, onClose }: { readonly tag: Tag; readonly onClose: () => void }) {
  const name = shown(tag.tagName);
  const request = () => requestOf('delete_user_tags', { userTagIds: [tag.tagId] });
  return (
    <Confirm
      title={t('users.deleteTag', { name })}
      name={tag.tagName}
      text={t('users.deleteTagLost')}
      request={request}
      said={t('users.tagDeleted', { name })}
      onClose={onClose}
    />
  );
}
