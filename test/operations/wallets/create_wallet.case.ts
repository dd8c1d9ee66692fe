import { tenantAccount } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_WALLET',
  subject: 'WALLET CREATE',
  rule: 'policies',
  calls: [{ parameters: () => ({ walletName: label, accounts: [tenantAccount()] }) }],
});
