// Screen of one wallet: its accounts and addresses, message signing, export and deletion.

import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { later } from '../../components/later.tsx';
import { RequestDialog } from '../../components/request_dialog.tsx';
import { Screen } from '../../components/screen.tsx';
import { Copyable, Terms, Time } from '../../components/small.tsx';
import { Empty, Loaded, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { AddressCard } from '../custody/address_card.tsx';
import { msOf, shown } from '../service/activity_text.ts';
import { useRead } from '../service/queries.ts';
import { type Account, useQuery } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import type { BalancesProps } from './balances.tsx';
import { DeleteWallet } from './delete_wallet.tsx';
import { formatText, isOfKind, type Kind, kinds, kindText } from './kinds.ts';
import { SignMessage } from './sign_message.tsx';
import { originText } from './wallets.tsx';

const ExportWallet = later(() => import('./export_wallet.tsx'));

type OpenDialog = 'account' | 'message' | 'export' | 'delete' | undefined;

const Balances = later<BalancesProps>(() => import('./balances.tsx'));

export default function WalletScreen() {
  const { params } = useRoute();
  const walletId = params['id'] ?? '';
  const { client } = useSession();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const read = useQuery(['wallet', walletId], 'get_wallet', ({ wallet }) => wallet, { walletId });
  const accounts = useRead(['accounts', walletId], async (signal) => {
    const rows: Account[] = [];
    for await (const row of client.pages('list_wallet_accounts', { walletId }, { signal })) {
      rows.push(row);
    }
    return rows;
  });
  const rows = accounts.data ?? [];
  const close = () => setOpenDialog(undefined);
  return (
    <Screen
      heading={read.data === undefined ? t('wallets.wallet') : shown(read.data.walletName)}
      actions={
        <>
          {rows.length > 0 && (
            <Button
              kind="primary"
              icon="pen"
              popup="dialog"
              onClick={() => setOpenDialog('message')}
            >
              {t('wallets.signMessage')}
            </Button>
          )}
          <Button icon="plus" popup="dialog" onClick={() => setOpenDialog('account')}>
            {t('wallets.newAccount')}
          </Button>
          {read.data && (
            <>
              <Button popup="dialog" onClick={() => setOpenDialog('export')}>
                {t('wallets.export')}
              </Button>
              <Button kind="danger" popup="dialog" onClick={() => setOpenDialog('delete')}>
                {t('wallets.delete')}
              </Button>
            </>
          )}
        </>
      }
    >
      <Loaded read={read}>
        {(wallet) => (
          <Terms
            rows={[
              { term: t('wallets.id'), value: <Copyable text={wallet.walletId} />, isDetail: true },
              { term: t('wallets.origin'), value: originText(wallet) },
              { term: t('wallets.created'), value: <Time ms={msOf(wallet.createdAt)} /> },
            ]}
          />
        )}
      </Loaded>
      <Section title={t('wallets.accounts')}>
        <Loaded read={accounts}>
          {(all) =>
            all.length === 0 ? (
              <Empty text={t('wallets.noAccounts')} />
            ) : (
              <>
                <ul class="accounts">
                  {all.map((account) => (
                    <AccountCard key={account.walletAccountId} account={account} />
                  ))}
                </ul>
                <p class="hint">{t('address.limits')}</p>
              </>
            )
          }
        </Loaded>
      </Section>
      {openDialog === 'account' && (
        <NewAccount walletId={walletId} accounts={rows} onClose={close} />
      )}
      {openDialog === 'message' && <SignMessage accounts={rows} onClose={close} />}
      {read.data && openDialog === 'export' && (
        <ExportWallet wallet={read.data} accounts={rows} onClose={close} />
      )}
      {read.data && openDialog === 'delete' && <DeleteWallet wallet={read.data} onClose={close} />}
    </Screen>
  );
}

function AccountCard({ account }: { readonly account: Account }) {
  const { address, addressFormat: format, path, name, publicKey } = account;
  return (
    <li>
      <article aria-label={`${formatText(format)} ${path}`}>
        <h3>{formatText(format)}</h3>
        <AddressCard
          claim={{ address, format, publicKey }}
          terms={[
            { term: t('wallets.path'), value: <code>{path}</code> },
            ...(name === undefined ? [] : [{ term: t('wallets.accountName'), value: shown(name) }]),
            ...(publicKey === undefined
              ? []
              : [{ term: t('users.publicKey'), value: <code>{publicKey}</code> }]),
          ]}
        >
          <Balances account={account} />
        </AddressCard>
      </article>
    </li>
  );
}

function NewAccount(props: {
  readonly walletId: string;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}) {
  const { walletId, accounts, onClose } = props;
  const { client } = useSession();
  const [kind, setKind] = useState<Kind>('ethereum');
  const [name, setName] = useState('');
  const used = accounts.filter(({ path }) => isOfKind(kind, path)).map(({ path }) => path);
  const next = Array.from({ length: used.length + 1 }, (_, i) => client.account(kind, i)).find(
    ({ path }) => !used.includes(path),
  );
  const account = next ?? client.account(kind);
  const request = () =>
    requestOf('create_wallet_accounts', {
      walletId,
      accounts: [{ ...account, ...(name === '' ? {} : { name }) }],
    });
  return (
    <RequestDialog
      title={t('wallets.newAccount')}
      request={request}
      said={(done) =>
        t('wallets.accountMade', {
          address: done.outcome === 'done' ? (done.result.addresses[0] ?? '') : '',
        })
      }
      onClose={onClose}
    >
      <SelectField
        label={t('wallets.kind')}
        value={kind}
        options={kinds.map((each) => ({ value: each, label: kindText(each) }))}
        onChange={setKind}
      />
      <Terms
        rows={[
          { term: t('wallets.path'), value: <code>{account.path}</code> },
          { term: t('wallets.format'), value: formatText(account.addressFormat) },
        ]}
      />
      <TextField
        label={t('wallets.accountName')}
        hint={t('wallets.optional')}
        value={name}
        onInput={setName}
        maxLength={255}
      />
    </RequestDialog>
  );
}
