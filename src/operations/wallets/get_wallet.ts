import { requireWallet } from '../../core/keys/wallets.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { walletView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { walletShape } from '../shapes.ts';

export const get_wallet = query({
  summary: 'Returns a wallet.',
  body: object({ walletId: uuid() }),
  response: object({ wallet: walletShape() }),

  answer: ({ organization, body }) => ({
    wallet: walletView(requireWallet(organization, body.walletId)),
  }),
});
