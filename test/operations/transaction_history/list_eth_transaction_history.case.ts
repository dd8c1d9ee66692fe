import { caip2, signer } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ address }) => ({ address, caip2: 'eip155:1' }) }],
  generate: (world) => ({ address: signer(world).signWith, caip2 }),
});
