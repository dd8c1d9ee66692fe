import { tenantAccount } from '../../hostile/tenants.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: ({ walletId, address }) => ({ walletId, address }) },
    { parameters: ({ walletId }) => ({ walletId, path: tenantAccount().path }) },
  ],
});
