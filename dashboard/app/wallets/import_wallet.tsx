// Dialog "Import wallet". The page seals the phrase before it sends it.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { utf8 } from '../../../src/client/bytes.ts';
import type { Submits } from '../../../src/client/generated/operations.ts';
import { Dialog } from '../../components/dialog.tsx';
import { NameField, TextField } from '../../components/field.tsx';
import { Form, notCopyable } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { SecretFileFields, useSecretFile } from '../custody/secret_file.tsx';
import { hrefOf } from '../paths.ts';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import type { Kind } from './kinds.ts';
import { Kinds } from './kinds_field.tsx';

export function ImportWallet({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const { client: reader, userId } = useSession();
  const write = useWrite();
  const file = useSecretFile('wallet');
  const [phrase, setPhrase] = useState('');
  const [walletName, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Kind[]>(['ethereum']);
  const send = async () => {
    const { importSealed } = await import('../custody/import.ts');
    const outcome = await write.send(
      async (client) => {
        const typed = utf8(phrase.trim().replaceAll(/\s+/g, ' '));
        const { secret, members } =
          file.name === undefined ? { secret: typed, members: {} } : await file.open();
        const sent = await importSealed(reader, secret, {
          userId,
          begin: () => client.ask('init_import_wallet', { userId }),
          bundleOf: ({ importBundle }) => importBundle,
          send: (encryptedBundle) =>
            client.ask('import_wallet', {
              userId,
              walletName,
              encryptedBundle,
              accounts: accountsIn(members) ?? chosen.map((kind) => client.account(kind)),
            }),
        });
        secret.fill(0);
        return sent;
      },
      t('wallets.importDone', { name: walletName }),
    );
    if (outcome === undefined) return;
    onClose();
    if (outcome.outcome === 'done') {
      route(hrefOf(`/wallets/${outcome.result.walletId}`));
    }
  };
  return (
    <Dialog title={t('wallets.import')} onClose={onClose}>
      <Form
        write={write}
        request={notCopyable}
        submitLabel={t('custody.import')}
        disabled={chosen.length === 0}
        onSubmit={() => void send()}
        onCancel={onClose}
      >
        {file.name === undefined && (
          <TextField
            label={t('wallets.phrase')}
            hint={t('custody.importHint')}
            value={phrase}
            onInput={setPhrase}
            rows={3}
            isCode
            required
            autoFocus
          />
        )}
        <SecretFileFields file={file} />
        <NameField label={t('wallets.name')} value={walletName} onInput={setName} />
        <Kinds chosen={chosen} onChange={setChosen} />
        {write.requiresPasskey && <p class="hint">{t('custody.twice')}</p>}
      </Form>
    </Dialog>
  );
}

type Accounts = Submits['import_wallet']['parameters']['accounts'];

/** Returns the accounts of an exported wallet, if the file has any. The service checks them. */
function accountsIn({ accounts }: Readonly<Record<string, unknown>>): Accounts | undefined {
  if (!Array.isArray(accounts) || accounts.length === 0) return undefined;
  // Omit the account names, which must be unique in an organization.
  return accounts.map(({ curve, pathFormat, path, addressFormat }) => ({
    curve,
    pathFormat,
    path,
    addressFormat,
  }));
}
