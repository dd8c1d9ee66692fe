// Screen "Private keys": keys without a recovery phrase.

import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Screen } from '../../components/screen.tsx';
import { Time } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { t } from '../../messages/text.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { usePrivateKeys } from '../service/reads.ts';
import { formatText } from '../wallets/kinds.ts';
import { originText } from '../wallets/wallets.tsx';
import { ImportPrivateKey } from './import_private_key.tsx';
import { NewPrivateKey } from './new_private_key.tsx';

const pageSize = 100;

export default function PrivateKeys() {
  const keys = usePrivateKeys();
  const [openDialog, setOpenDialog] = useState<'new' | 'import'>();
  const [count, setCount] = useState(pageSize);
  const buttons = (
    <>
      <Button kind="primary" icon="plus" popup="dialog" onClick={() => setOpenDialog('new')}>
        {t('keys.new')}
      </Button>
      <Button popup="dialog" onClick={() => setOpenDialog('import')}>
        {t('keys.import')}
      </Button>
    </>
  );
  const close = () => setOpenDialog(undefined);
  return (
    <Screen
      heading={t('screen.privateKeys')}
      actions={keys.data?.length === 0 ? undefined : buttons}
    >
      <Loaded read={keys}>
        {(rows) => (
          <Table
            empty={
              <Empty text={t('keys.empty')} more={t('keys.emptyText')}>
                <div class="buttons">{buttons}</div>
              </Empty>
            }
            name={t('screen.privateKeys')}
            rows={rows.slice(0, count)}
            keyOf={({ privateKeyId }) => privateKeyId}
            onMore={rows.length > count ? () => setCount(count + pageSize) : undefined}
            columns={{
              [t('keys.key')]: ({ privateKeyId, privateKeyName }) => (
                <a href={hrefOf(`/private-keys/${privateKeyId}`)}>{shown(privateKeyName)}</a>
              ),
              [t('keys.addresses')]: ({ addresses, publicKey }) =>
                addresses.length === 0 ? (
                  <code>{publicKey}</code>
                ) : (
                  addresses.map(({ format = '', address }) => (
                    <div key={format}>
                      {formatText(format)} <code>{address}</code>
                    </div>
                  ))
                ),
              [t('wallets.origin')]: originText,
              [t('wallets.created')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
            }}
          />
        )}
      </Loaded>
      {openDialog === 'new' && <NewPrivateKey onClose={close} />}
      {openDialog === 'import' && <ImportPrivateKey onClose={close} />}
    </Screen>
  );
}
