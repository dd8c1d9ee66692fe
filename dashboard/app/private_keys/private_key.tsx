// Screen of one private key: its addresses, and the policies that refer to it.

import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { later } from '../../components/later.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Terms, Time } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { AddressCard } from '../custody/address_card.tsx';
import { DeleteHeld } from '../custody/delete_held.tsx';
import { NamingPolicies } from '../custody/naming_policies.tsx';
import { msOf, shown } from '../service/activity_text.ts';
import { type PrivateKey, useQuery } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';
import { formatText } from '../wallets/kinds.ts';
import { originText } from '../wallets/wallets.tsx';

const ExportPrivateKey = later(() => import('./export_private_key.tsx'));

export default function PrivateKeyScreen() {
  const { params } = useRoute();
  const privateKeyId = params['id'] ?? '';
  const [openDialog, setOpenDialog] = useState<'export' | 'delete'>();
  const read = useQuery(
    ['private key', privateKeyId],
    'get_private_key',
    ({ privateKey }) => privateKey,
    { privateKeyId },
  );
  const key = read.data;
  const close = () => setOpenDialog(undefined);
  const actions = key && (
    <>
      <Button popup="dialog" onClick={() => setOpenDialog('export')}>
        {t('keys.export')}
      </Button>
      <Button kind="danger" popup="dialog" onClick={() => setOpenDialog('delete')}>
        {t('keys.delete')}
      </Button>
    </>
  );
  return (
    <Screen
      heading={key === undefined ? t('keys.key') : shown(key.privateKeyName)}
      actions={actions}
    >
      <Loaded read={read}>{(found) => <About privateKey={found} />}</Loaded>
      {key && (
        <NamingPolicies
          title={t('custody.policies')}
          words={['private_key.', privateKeyId, `'${key.privateKeyName}'`]}
        />
      )}
      {key && openDialog === 'export' && <ExportPrivateKey privateKey={key} onClose={close} />}
      {key && openDialog === 'delete' && <DeletePrivateKey privateKey={key} onClose={close} />}
    </Screen>
  );
}

function About({ privateKey }: { readonly privateKey: PrivateKey }) {
  const { privateKeyId, publicKey, addresses, createdAt } = privateKey;
  return (
    <>
      <Terms
        rows={[
          { term: t('keys.id'), value: <Copyable text={privateKeyId} />, isDetail: true },
          { term: t('users.publicKey'), value: <Copyable text={publicKey} /> },
          { term: t('wallets.origin'), value: originText(privateKey) },
          { term: t('wallets.created'), value: <Time ms={msOf(createdAt)} /> },
        ]}
      />
      {addresses.length > 0 && (
        <>
          <ul class="accounts">
            {addresses.map(({ format = '', address = '' }) => (
              <li key={format}>
                <article aria-label={formatText(format)}>
                  <h2>{formatText(format)}</h2>
                  <AddressCard claim={{ address, format, publicKey }} />
                </article>
              </li>
            ))}
          </ul>
          <p class="hint">{t('address.limits')}</p>
        </>
      )}
    </>
  );
}

function DeletePrivateKey(props: {
  readonly privateKey: PrivateKey;
  readonly onClose: () => void;
}) {
  const { privateKeyId, privateKeyName, exported } = props.privateKey;
  const name = shown(privateKeyName);
  return (
    <DeleteHeld
      name={privateKeyName}
      exported={exported}
      title={t('keys.deleteNamed', { name })}
      text={t(exported ? 'keys.deleteLost' : 'keys.deleteLostForEver')}
      doneText={t('keys.deleted', { name })}
      list="/private-keys"
      requestWith={(options) =>
        requestOf('delete_private_keys', { privateKeyIds: [privateKeyId], ...options })
      }
      onClose={props.onClose}
    />
  );
}
