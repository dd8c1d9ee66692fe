import { tenantAccount } from '../../hostile/tenants.ts';
import { idOf, signer } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: ({ walletId, address }) => ({ walletId, address }) },
    { parameters: ({ walletId }) => ({ walletId, path: tenantAccount().path }) },
  ],
  generate: (world) => ({
    walletId: idOf(world, 'wallet'),
    address: signer(world).signWith,
  }),
});
