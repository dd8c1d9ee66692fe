// Dialog "New sub-organization", with its name and first root user. The page creates the key of this user.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Dialog } from '../../components/dialog.tsx';
import { NameField, TextField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { downloadKey, firstKeyOf, useNewApiKey } from '../service/new_api_key.ts';
import { useWrite } from '../service/write.ts';
import { useConfig } from '../session/context.ts';

export function NewOrganization({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const { apiUrl: baseUrl, authProxyUrl, authProxyConfigId } = useConfig();
  const write = useWrite();
  const [name, setName] = useState('');
  const [userName, setUserName] = useState('');
  const [userEmail, setEmail] = useState('');
  const newApiKey = useNewApiKey();
  const create = async () => {
    const contact = userEmail === '' ? {} : { userEmail };
    const others = { authenticators: [], oauthProviders: [] };
    const outcome = await write.send(
      async (client) => {
        const apiKeys = [firstKeyOf(userName, await newApiKey())];
        return client.ask('create_sub_organization', {
          subOrganizationName: name,
          rootUsers: [{ userName, ...contact, apiKeys, ...others }],
          rootQuorumThreshold: 1,
        });
      },
      t('organizations.made', { name }),
    );
    if (outcome === undefined) return;
    const key = await newApiKey();
    const isDone = outcome.outcome === 'done';
    const organizationId = isDone ? outcome.result.subOrganizationId : '';
    const [userId = ''] = isDone ? outcome.result.rootUserIds : [];
    // Save the key even if the activity waits: approvals may still complete it.
    const place = { baseUrl, authProxyUrl, authProxyConfigId, organizationId };
    downloadKey(userName, key, { ...place, userId, apiKeyId: undefined });
    onClose();
    if (isDone) route(hrefOf(`/organizations/${organizationId}`));
  };
  return (
    <Dialog title={t('organizations.new')} onClose={onClose}>
      <Form
        write={write}
        request={notCopyable}
        submitLabel={t('action.create')}
        onSubmit={() => void create()}
        onCancel={onClose}
      >
        <NameField label={t('organizations.name')} value={name} onInput={setName} autoFocus />
        <fieldset class="content">
          <legend>{t('organizations.rootUser')}</legend>
          <NameField label={t('users.name')} value={userName} onInput={setUserName} />
          <TextField
            label={t('users.email')}
            type="email"
            inputMode="email"
            value={userEmail}
            onInput={setEmail}
          />
          <p class="hint">{t('organizations.keyHint')}</p>
        </fieldset>
      </Form>
    </Dialog>
  );
}
