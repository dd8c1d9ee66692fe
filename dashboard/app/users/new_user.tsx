// Dialog "New user", optionally with an API key that the page creates.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Client } from '../../../src/client/connect.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox, Choices, NameField, TextField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { Failed } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { shown } from '../service/activity_text.ts';
import { downloadKey, firstKeyOf, useNewApiKey } from '../service/new_api_key.ts';
import { useUserTags } from '../service/reads.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { useConfig, useSession } from '../session/context.ts';

/** Reads the id of the new key, which the answer to `create_users` lacks. The key file works without it. */
const idOfOnlyKey = (client: Client, userId: string): Promise<string | undefined> =>
  client.query('get_user', { userId }).then(
    ({ user }) => user.apiKeys[0]?.apiKeyId,
    () => undefined,
  );

export function NewUser({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const { apiUrl: baseUrl, authProxyUrl, authProxyConfigId } = useConfig();
  const { client, organizationId } = useSession();
  const read = useUserTags();
  const tags = read.data ?? [];
  const write = useWrite();
  const [userName, setName] = useState('');
  const [userEmail, setEmail] = useState('');
  const [userTags, setTags] = useState<readonly string[]>([]);
  const [hasKey, setHasKey] = useState(true);
  const newApiKey = useNewApiKey();
  const requestWith = (apiKeys: readonly ReturnType<typeof firstKeyOf>[]) => {
    const contact = userEmail === '' ? {} : { userEmail };
    const others = { authenticators: [], oauthProviders: [], userTags };
    return requestOf('create_users', { users: [{ userName, ...contact, apiKeys, ...others }] });
  };
  const create = async () => {
    const outcome = await write.send(
      async (client) => {
        const apiKeys = hasKey ? [firstKeyOf(userName, await newApiKey())] : [];
        const { name, parameters } = requestWith(apiKeys);
        return client.ask(name, parameters);
      },
      t(hasKey ? 'users.madeWithKey' : 'users.made', { name: userName }),
    );
    if (outcome === undefined) return;
    const [userId = ''] = outcome.outcome === 'done' ? outcome.result.userIds : [];
    // Save the key even if the activity waits: approvals may still complete it.
    if (hasKey) {
      const key = await newApiKey();
      const place = { baseUrl, authProxyUrl, authProxyConfigId, organizationId };
      const apiKeyId = userId === '' ? undefined : await idOfOnlyKey(client, userId);
      downloadKey(userName, key, { ...place, userId, apiKeyId });
    }
    onClose();
    if (userId !== '') route(hrefOf(`/users/${userId}`));
  };
  return (
    <Dialog title={t('users.new')} onClose={onClose}>
      <Form
        write={write}
        request={hasKey ? notCopyable : () => requestWith([])}
        submitLabel={t('action.create')}
        onSubmit={() => void create()}
        onCancel={onClose}
      >
        <Failed read={read} />
        <NameField label={t('users.name')} value={userName} onInput={setName} autoFocus />
        <TextField
          label={t('users.email')}
          hint={t('users.emailHint')}
          type="email"
          inputMode="email"
          value={userEmail}
          onInput={setEmail}
        />
        {tags.length > 0 && (
          <Choices
            legend={t('users.tags')}
            options={tags.map(({ tagId, tagName }) => ({ id: tagId, label: shown(tagName) }))}
            chosen={userTags}
            onChange={setTags}
          />
        )}
        <Checkbox label={t('users.withKey')} checked={hasKey} onChange={setHasKey} />
        <p class="hint">{t('users.withKeyHint')}</p>
      </Form>
    </Dialog>
  );
}
