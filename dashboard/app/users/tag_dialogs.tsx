import { useState } from 'preact/hooks';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Failed } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { type Tag, useUsers } from '../service/reads.ts';
import { requestOf, useWrite } from '../service/write.ts';

const maximumOffered = 100;

export function NewTag({ onClose }: { readonly onClose: () => void }) {
  const write = useWrite();
  const read = useUsers();
  const users = read.data ?? [];
  const [userTagName, setName] = useState('');
  const [userIds, setUserIds] = useState<readonly string[]>([]);
  const request = () => requestOf('create_user_tag', { userTagName, userIds });
  const create = async () => {
    const outcome = await write.ask(request(), t('users.tagMade', { name: userTagName }));
    if (outcome !== undefined) onClose();
  };
  return (
    <Dialog title={t('users.newTag')} onClose={onClose}>
      <Form
        write={write}
        request={request}
        submitLabel={t('action.create')}
        onSubmit={() => void create()}
        onCancel={onClose}
      >
        <Failed read={read} />
        <TextField
          label={t('users.tagName')}
          value={userTagName}
          onInput={setName}
          maxLength={255}
          required
          autoFocus
        />
        <fieldset>
          <legend>{t('users.holders')}</legend>
          <div class="choices">
            {users.slice(0, maximumOffered).map(({ userId, userName }) => (
              <Checkbox
                key={userId}
                label={shown(userName)}
                checked={userIds.includes(userId)}
                onChange={(isChosen) =>
                  setUserIds(
                    isChosen ? [...userIds, userId] : userIds.filter((id) => id !== userId),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
      </Form>
    </Dialog>
  );
}

export function DeleteTag({ tag, onClose }: { readonly tag: Tag; readonly onClose: () => void }) {
  const write = useWrite();
  const name = shown(tag.tagName);
  const request = () => requestOf('delete_user_tags', { userTagIds: [tag.tagId] });
  const remove = async () => {
    const outcome = await write.ask(request(), t('users.tagDeleted', { name }));
    if (outcome !== undefined) onClose();
  };
  return (
    <Confirm
      title={t('users.deleteTag', { name })}
      name={tag.tagName}
      text={t('users.deleteTagLost')}
      write={write}
      request={request}
      submitLabel={t('action.delete')}
      onSubmit={() => void remove()}
      onClose={onClose}
    />
  );
}
