import { t } from '../../messages/text.ts';
import { DeleteHeld } from '../custody/delete_held.tsx';
import { shown } from '../service/activity_text.ts';
import type { Wallet } from '../service/reads.ts';
import { requestOf } from '../service/write.ts';

export function DeleteWallet(props: { readonly wallet: Wallet; readonly onClose: () => void }) {
  const { walletId, walletName, exported } = props.wallet;
  const name = shown(walletName);
  return (
    <DeleteHeld
      name={walletName}
      exported={exported}
      title={t('wallets.deleteNamed', { name })}
      text={t(exported ? 'wallets.deleteLost' : 'wallets.deleteLostForEver')}
      doneText={t('wallets.deleted', { name })}
      list="/wallets"
      requestWith={(options) => requestOf('delete_wallets', { walletIds: [walletId], ...options })}
      onClose={props.onClose}
    />
  );
}
