import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ walletId }) => ({ walletId }) }],
  generate: (world) => ({ walletId: idOf(world, 'wallet') }),
});
