import { tenantAccount } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'IMPORT_WALLET',
  subject: 'WALLET IMPORT',
  rule: 'policies',
  calls: [
    {
      parameters: ({ rootUserId: userId, sealedWallet: encryptedBundle }) => ({
        userId,
        walletName: label,
        encryptedBundle,
        accounts: [tenantAccount()],
      }),
    },
  ],
});
