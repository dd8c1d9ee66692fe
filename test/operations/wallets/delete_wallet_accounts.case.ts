import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_WALLET_ACCOUNTS',
  subject: 'WALLET DELETE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ walletAccountId }) => ({
        walletAccountIds: [walletAccountId],
        deleteWithoutExport: true,
      }),
    },
  ],
});
