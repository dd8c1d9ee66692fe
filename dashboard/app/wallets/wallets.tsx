// Screen "Wallets": wallets, newest first.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { NameField } from '../../components/field.tsx';
import { later } from '../../components/later.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Screen } from '../../components/screen.tsx';
import { Time } from '../../components/small.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { listText, number, t } from '../../messages/text.ts';
import { useKnownAddresses } from '../headlines/known_addresses.ts';
import { hrefOf } from '../paths.ts';
import { msOf, shown } from '../service/activity_text.ts';
import { useServiceHealth } from '../service/chains.ts';
import { useWallets, type Wallet } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import type { BalancesProps } from './balances.tsx';
import { ImportWallet } from './import_wallet.tsx';
import type { Kind } from './kinds.ts';
import { Kinds } from './kinds_field.tsx';

const Balances = later<BalancesProps>(() => import('./balances.tsx'));

export default function Wallets() {
  const wallets = useWallets();
  const known = useKnownAddresses();
  const hasChains = (useServiceHealth().data?.chains.length ?? 0) > 0;
  const [openDialog, setOpenDialog] = useState<'new' | 'import'>();
  const create = (
    <>
      <Button kind="primary" icon="plus" popup="dialog" onClick={() => setOpenDialog('new')}>
        {t('wallets.new')}
      </Button>
      <Button popup="dialog" onClick={() => setOpenDialog('import')}>
        {t('wallets.import')}
      </Button>
    </>
  );
  const isEmpty = wallets.data?.length === 0;
  return (
    <Screen heading={t('screen.wallets')} actions={isEmpty ? undefined : create}>
      <Loaded read={wallets}>
        {(rows) => (
          <Table
            empty={
              <Empty text={t('wallets.empty')}>
                <div class="buttons">{create}</div>
              </Empty>
            }
            name={t('screen.wallets')}
            rows={rows}
            keyOf={({ walletId }) => walletId}
            columns={{
              [t('wallets.wallet')]: ({ walletId, walletName }) => (
                <a href={hrefOf(`/wallets/${walletId}`)}>{shown(walletName)}</a>
              ),
              [t('wallets.accounts')]: {
                number: ({ walletId }) => countText(known.data?.accountsOf(walletId)),
              },
              ...(hasChains && {
                [t('wallets.balances')]: ({ walletId }: Wallet) => <Balances walletId={walletId} />,
              }),
              [t('wallets.origin')]: originText,
              [t('wallets.created')]: ({ createdAt }) => <Time ms={msOf(createdAt)} />,
            }}
          />
        )}
      </Loaded>
      {openDialog === 'new' && <NewWallet onClose={() => setOpenDialog(undefined)} />}
      {openDialog === 'import' && <ImportWallet onClose={() => setOpenDialog(undefined)} />}
    </Screen>
  );
}

const countText = (count: number | undefined): string => (count === undefined ? '' : number(count));

/** Describes the origin of the seed, and whether it was exported. */
export function originText({ imported, exported }: Pick<Wallet, 'imported' | 'exported'>): string {
  return listText([
    t(imported ? 'wallets.imported' : 'wallets.originHere'),
    ...(exported ? [t('wallets.exported')] : []),
  ]);
}

function NewWallet({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const { account } = useSession().client;
  const [walletName, setWalletName] = useState('');
  const [chosen, setChosen] = useState<readonly Kind[]>(['ethereum']);
  const request = () =>
    requestOf('create_wallet', {
      walletName,
      accounts: chosen.map((kind) => account(kind)),
    });
  return (
    <RequestDialog
      title={t('wallets.new')}
      request={request}
      said={t('wallets.made', { name: walletName })}
      disabled={chosen.length === 0}
      onDone={(result) => route(hrefOf(`/wallets/${result.walletId}`))}
      onClose={onClose}
    >
      <NameField label={t('wallets.name')} value={walletName} onInput={setWalletName} autoFocus />
      <Kinds chosen={chosen} onChange={setChosen} />
    </RequestDialog>
  );
}
