import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_WALLETS',
  subject: 'WALLET DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ walletId }) => ({ walletIds: [walletId], deleteWithoutExport: true }) }],
});
