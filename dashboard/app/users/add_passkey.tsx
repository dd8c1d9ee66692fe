import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { NameField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { dayText, t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import type { User } from '../service/reads.ts';
import { useWrite } from '../service/write.ts';
import { useConfig, useSession } from '../session/context.ts';
import { newPasskey } from '../session/passkeys.ts';

/** Shows the dialog "Add a passkey". Creates the passkey on this device, for the given user. */
export function AddPasskey({
  user,
  onClose,
}: {
  readonly user: User;
  readonly onClose: () => void;
}) {
  const config = useConfig();
  const session = useSession();
  const { userId, userName } = user;
  const write = useWrite();
  const [authenticatorName, setName] = useState(t('passkey.name', { date: dayText(Date.now()) }));
  const isMine = session.userId === userId;
  const add = async () => {
    const outcome = await write.send(async (client) => {
      const made = { ...(await newPasskey(config, { userId, userName })), authenticatorName };
      return client.ask('create_authenticators', { userId, authenticators: [made] });
    }, t('passkey.added'));
    if (outcome !== undefined) onClose();
  };
  return (
    <Dialog title={t('users.addPasskey')} onClose={onClose}>
      <Form
        write={write}
        request={notCopyable}
        submitLabel={t('action.add')}
        submitIcon="passkey"
        onSubmit={() => void add()}
        onCancel={onClose}
      >
        <p>
          {isMine ? t('users.addPasskeyMine') : t('users.addPasskeyOf', { name: shown(userName) })}
        </p>
        <NameField
          label={t('users.passkeyName')}
          value={authenticatorName}
          onInput={setName}
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
