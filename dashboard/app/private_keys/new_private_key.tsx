import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { requestOf, useWrite } from '../service/write.ts';
import { type KeyKind, keyKindOptions, keyParameters } from './key_kinds.ts';

export function NewPrivateKey({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const write = useWrite();
  const [privateKeyName, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('ethereum');
  const privateKey = { privateKeyName, privateKeyTags: [], ...keyParameters(kind) };
  const request = () => requestOf('create_private_keys', { privateKeys: [privateKey] });
  const create = async () => {
    const outcome = await write.ask(request(), t('keys.made', { name: privateKeyName }));
    if (outcome === undefined) return;
    onClose();
    const [made] = outcome.outcome === 'done' ? outcome.result.privateKeys : [];
    if (made !== undefined) route(hrefOf(`/private-keys/${made.privateKeyId}`));
  };
  return (
    <Dialog title={t('keys.new')} onClose={onClose}>
      <Form
        write={write}
        request={request}
        submitLabel={t('action.create')}
        onSubmit={() => void create()}
        onCancel={onClose}
      >
        <TextField
          label={t('keys.name')}
          value={privateKeyName}
          onInput={setName}
          maxLength={255}
          required
          autoFocus
        />
        <SelectField
          label={t('wallets.kind')}
          value={kind}
          options={keyKindOptions}
          onChange={setKind}
        />
      </Form>
    </Dialog>
  );
}
