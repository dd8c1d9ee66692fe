import { answerList, object } from '../../core/schema/schema.ts';
import { walletView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { walletShape } from '../shapes.ts';

export const list_wallets = query({
  summary: 'Lists the wallets of the organization, oldest first.',
  body: object({}),
  response: object({ wallets: answerList(walletShape()) }),

  answer: ({ organization }) => ({ wallets: organization.list('wallet').map(walletView) }),
});
