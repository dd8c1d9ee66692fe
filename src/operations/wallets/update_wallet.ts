import { renameWallet, requireWallet } from '../../core/keys/wallets.ts';
import { answerText, label, object, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const update_wallet = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_WALLET'),
  summary: 'Renames a wallet.',
  subject: { resource: 'WALLET', action: 'UPDATE' },
  authority: 'key_labels',
  parameters: object({ walletId: uuid(), walletName: optional(label()) }),
  result: object({ walletId: answerText() }),

  facts: ({ parameters }) => ({ params: { wallet_id: parameters.walletId.toLowerCase() } }),
  apply: ({ organization, parameters, context }) => {
    const wallet = requireWallet(organization, parameters.walletId);
    const { walletName } = parameters;
    if (walletName !== undefined) {
      renameWallet(wallet, walletName, organization, context.now);
    }
    return { walletId: wallet.id };
  },
});
