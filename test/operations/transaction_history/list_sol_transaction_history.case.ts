import { signer } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ solanaAddress: address }) => ({ address, caip2: 'solana:mainnet' }) }],
  generate: (world) => ({
    address: signer(world).signWith,
    caip2: 'solana:mainnet',
  }),
});
