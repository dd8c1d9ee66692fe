// Dialog "Add an API key". The page creates the key; only the downloaded file holds the private key.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { NameField, SelectField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { shown } from '../service/activity_text.ts';
import { downloadKey, useNewApiKey } from '../service/new_api_key.ts';
import type { User } from '../service/reads.ts';
import { useWrite } from '../service/write.ts';
import { useConfig, useSession } from '../session/context.ts';
import { type Lifetime, lifetimes } from './credentials.ts';

export function AddApiKey({
  user,
  onClose,
}: {
  readonly user: User;
  readonly onClose: () => void;
}) {
  const { userId, userName } = user;
  const { apiUrl: baseUrl, authProxyUrl, authProxyConfigId } = useConfig();
  const { organizationId } = useSession();
  const write = useWrite();
  const [apiKeyName, setName] = useState(t('users.keyOf', { name: userName }).slice(0, 255));
  const [seconds, setSeconds] = useState<Lifetime>('');
  const newApiKey = useNewApiKey();
  /** Downloads the file again. The private key is lost when the dialog closes. */
  const [again, setAgain] = useState<() => void>();
  const add = async () => {
    const lifetime = seconds === '' ? {} : { expirationSeconds: seconds };
    const outcome = await write.send(async (client) => {
      const { apiPublicKey: publicKey } = await newApiKey();
      const curveType = 'API_KEY_CURVE_P256' as const;
      const apiKeys = [{ apiKeyName, publicKey, curveType, ...lifetime }];
      return client.ask('create_api_keys', { userId, apiKeys });
    }, t('users.keyAdded'));
    if (outcome === undefined) return;
    const key = await newApiKey();
    const apiKeyId = outcome.outcome === 'done' ? outcome.result.apiKeyIds[0] : undefined;
    const place = { baseUrl, authProxyUrl, authProxyConfigId, organizationId, userId, apiKeyId };
    const download = () => downloadKey(userName, key, place);
    download();
    setAgain(() => download);
  };
  return (
    <Dialog title={t('users.addKey')} onClose={onClose}>
      {again === undefined ? (
        <Form
          write={write}
          request={notCopyable}
          submitLabel={t('action.add')}
          onSubmit={() => void add()}
          onCancel={onClose}
        >
          <p>{t('users.addKeyText', { name: shown(userName) })}</p>
          <NameField label={t('users.keyName')} value={apiKeyName} onInput={setName} autoFocus />
          <SelectField
            label={t('users.expires')}
            value={seconds}
            options={lifetimes.map((value) => ({
              value,
              label: t(`lifetime.${value === '' ? 'never' : value}`),
            }))}
            onChange={setSeconds}
          />
        </Form>
      ) : (
        <>
          <p>{t('users.keyFile')}</p>
          <div class="buttons">
            <Button kind="primary" onClick={onClose}>
              {t('action.close')}
            </Button>
            <Button onClick={again}>{t('users.keyFileAgain')}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
