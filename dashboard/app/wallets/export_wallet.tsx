import { t } from '../../messages/text.ts';
import { ExportDialog } from '../custody/export_dialog.tsx';
import { shown } from '../service/activity_text.ts';
import type { Account, Wallet } from '../service/reads.ts';

/**
 * Shows the dialog "Export wallet". The export contains the recovery phrase and the paths of the accounts.
 */
export default function ExportWallet(props: {
  readonly wallet: Wallet;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}) {
  const { wallet, accounts, onClose } = props;
  const { walletId, walletName: name } = wallet;
  return (
    <ExportDialog
      title={t('wallets.exportNamed', { name: shown(name) })}
      name={name}
      holds="wallet"
      label={t('wallets.phrase')}
      ask={(client, targetPublicKey) => client.ask('export_wallet', { walletId, targetPublicKey })}
      bundleOf={({ exportBundle }) => exportBundle}
      textOf={(plaintext) => new TextDecoder().decode(plaintext)}
      contentOf={(mnemonic) =>
        JSON.stringify({
          kind: 'wallet',
          name,
          walletId,
          accounts: accounts.map((account) => ({
            name: account.name,
            curve: account.curve,
            pathFormat: account.pathFormat,
            path: account.path,
            addressFormat: account.addressFormat,
            address: account.address,
          })),
          mnemonic,
        })
      }
      onClose={onClose}
    />
  );
}
