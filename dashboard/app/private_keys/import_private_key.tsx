import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { bytesOfHex } from '../../../src/client/bytes.ts';
import type { Submits } from '../../../src/client/generated/operations.ts';
import { Dialog } from '../../components/dialog.tsx';
import { NameField, SelectField, TextField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { SecretFileFields, useSecretFile } from '../custody/secret_file.tsx';
import { hrefOf } from '../paths.ts';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { type KeyKind, keyKindOptions, keyParameters } from './key_kinds.ts';

const digitsOf32Bytes = /^(0x)?[0-9a-f]{64}$/i;

/** Shows the dialog "Import private key". The page seals the key before it sends it. */
export function ImportPrivateKey({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const { client: reader, userId } = useSession();
  const write = useWrite();
  const file = useSecretFile('key');
  const [digits, setDigits] = useState('');
  const [privateKeyName, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('ethereum');
  const typed = digits.trim();
  const isKey = digitsOf32Bytes.test(typed);
  const send = async () => {
    const { importSealed } = await import('../custody/import.ts');
    const outcome = await write.send(
      async (client) => {
        const { secret, members } =
          file.name === undefined
            ? { secret: bytesOfHex(typed.replace(/^0x/i, '')), members: {} }
            : await file.open();
        const sent = await importSealed(reader, secret, {
          userId,
          begin: () => client.ask('init_import_private_key', { userId }),
          bundleOf: ({ importBundle }) => importBundle,
          send: (encryptedBundle) =>
            client.ask('import_private_key', {
              userId,
              privateKeyName,
              encryptedBundle,
              ...(parametersIn(members) ?? keyParameters(kind)),
            }),
        });
        secret.fill(0);
        return sent;
      },
      t('keys.importDone', { name: privateKeyName }),
    );
    if (outcome === undefined) return;
    onClose();
    if (outcome.outcome === 'done') route(hrefOf(`/private-keys/${outcome.result.privateKeyId}`));
  };
  return (
    <Dialog title={t('keys.import')} onClose={onClose}>
      <Form
        write={write}
        request={notCopyable}
        submitLabel={t('custody.import')}
        disabled={file.name === undefined && !isKey}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        {file.name === undefined && (
          <TextField
            label={t('keys.key')}
            hint={`${t('keys.hexHint')} ${t('custody.importHint')}`}
            problem={typed === '' || isKey ? undefined : t('keys.hexHint')}
            value={digits}
            onInput={setDigits}
            rows={2}
            isCode
            required
            autoFocus
          />
        )}
        <SecretFileFields file={file} />
        <NameField label={t('keys.name')} value={privateKeyName} onInput={setName} />
        <SelectField
          label={t('wallets.kind')}
          value={kind}
          options={keyKindOptions}
          onChange={setKind}
        />
        {write.requiresPasskey && <p class="hint">{t('custody.twice')}</p>}
      </Form>
    </Dialog>
  );
}

type Parameters = Submits['import_private_key']['parameters'];

/**
 * Returns the curve and the address formats of an exported key, if the file has them. The service checks
 * them.
 */
function parametersIn({ curve, addresses }: Readonly<Record<string, unknown>>) {
  if (typeof curve !== 'string') return undefined;
  const rows = Array.isArray(addresses) ? addresses : [];
  return {
    curve: curve as Parameters['curve'],
    addressFormats: rows.map((row) => row?.format) as Parameters['addressFormats'],
  };
}
