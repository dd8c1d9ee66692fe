import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { NameField, SelectField } from '../../components/field.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { requestOf } from '../service/write.ts';
import { type KeyKind, keyKindOptions, keyParameters } from './key_kinds.ts';

export function NewPrivateKey({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [privateKeyName, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('ethereum');
  const privateKey = { privateKeyName, privateKeyTags: [], ...keyParameters(kind) };
  const request = () => requestOf('create_private_keys', { privateKeys: [privateKey] });
  return (
    <RequestDialog
      title={t('keys.new')}
      request={request}
      said={t('keys.made', { name: privateKeyName })}
      onDone={({ privateKeys: [made] }) => {
        if (made !== undefined) route(hrefOf(`/private-keys/${made.privateKeyId}`));
      }}
      onClose={onClose}
    >
      <NameField label={t('keys.name')} value={privateKeyName} onInput={setName} autoFocus />
      <SelectField
        label={t('wallets.kind')}
        value={kind}
        options={keyKindOptions}
        onChange={setKind}
      />
    </RequestDialog>
  );
}
