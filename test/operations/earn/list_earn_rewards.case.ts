import { ethereumAddress } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ address: walletAddress }) => ({ walletAddress }), onlySelects: true }],
  generate: (world) => ({ walletAddress: ethereumAddress(world) }),
});
