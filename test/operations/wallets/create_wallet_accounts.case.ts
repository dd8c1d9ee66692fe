import { tenantAccount } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_WALLET_ACCOUNTS',
  subject: 'WALLET CREATE',
  rule: 'policies',
  calls: [true, false].map((persist) => ({
    parameters: ({ walletId }) => ({ walletId, accounts: [tenantAccount(1)], persist }),
  })),
});
