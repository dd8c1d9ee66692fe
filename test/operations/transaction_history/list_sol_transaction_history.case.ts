import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ solanaAddress: address }) => ({ address, caip2: 'solana:mainnet' }) }],
});
