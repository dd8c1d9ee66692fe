import { useState } from 'preact/hooks';
import { utf8 } from '../../../src/client/bytes.ts';
import { Dialog } from '../../components/dialog.tsx';
import { NameField, TextField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { SecretFileFields, useSecretFile } from '../custody/secret_file.tsx';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { encryptionSuite, propertiesIn, targetKeyOf } from './secret_texts.ts';

/** Shows the dialog "Import secret". The page seals the text before it sends it. */
export function ImportSecret({ onClose }: { readonly onClose: () => void }) {
  const { client: reader } = useSession();
  const write = useWrite();
  const [name, setName] = useState('');
  const file = useSecretFile('secret');
  const [text, setText] = useState('');
  const [properties, setProperties] = useState('');
  const staticProperties = propertiesIn(properties);
  const send = async () => {
    const { importSealed } = await import('../custody/import.ts');
    const outcome = await write.send(
      async (client) => {
        const { secret } = file.name === undefined ? { secret: utf8(text) } : await file.open();
        const sent = await importSealed(reader, secret, {
          begin: () => client.ask('init_import_secrets', { encryptionSuite, numSecrets: 1 }),
          bundleOf: ({ enclaveTargetMessages: [first = ''] }) => first,
          send: (secretPayload, bundle) => {
            const target = { targetPublicKey: targetKeyOf(bundle), encryptionSuite } as const;
            const sealed = { name, secretPayload, ...target };
            const known = staticProperties?.length ? { staticProperties } : {};
            return client.ask('import_secrets', { secrets: [{ ...sealed, ...known }] });
          },
        });
        secret.fill(0);
        return sent;
      },
      t('secrets.importDone', { name }),
    );
    if (outcome !== undefined) onClose();
  };
  return (
    <Dialog title={t('secrets.import')} onClose={onClose}>
      <Form
        write={write}
        request={notCopyable}
        submitLabel={t('custody.import')}
        disabled={staticProperties === undefined}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        <NameField label={t('secrets.name')} value={name} onInput={setName} autoFocus />
        {file.name === undefined && (
          <TextField
            label={t('secrets.text')}
            hint={t('custody.importHint')}
            value={text}
            onInput={setText}
            rows={3}
            isCode
            required
          />
        )}
        <SecretFileFields file={file} />
        <TextField
          label={t('secrets.properties')}
          hint={t('secrets.propertiesHint')}
          problem={staticProperties === undefined ? t('secrets.propertiesHint') : undefined}
          value={properties}
          onInput={setProperties}
          rows={2}
          isCode
        />
        {write.requiresPasskey && <p class="hint">{t('custody.twice')}</p>}
      </Form>
    </Dialog>
  );
}
