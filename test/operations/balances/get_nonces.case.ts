import { caip2 } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    {
      parameters: ({ address }) => ({ address, caip2: 'eip155:1', nonce: true }),
      onlySelects: true,
    },
  ],
  generate: ({ serial }) => ({
    address: `0x${String(serial).padStart(40, '0')}`,
    caip2,
    nonce: true,
  }),
});
