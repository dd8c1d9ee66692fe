import { ethereumAddress } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { describedQuote } from './swap_requests.ts';

export default activityCase({
  types: 'CREATE_SWAP_QUOTE_V2 CREATE_SWAP_QUOTE',
  subject: 'SWAP_QUOTE CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => describedQuote(address) }],
  generate: {
    weight: 1,
    parameters: (world) =>
      describedQuote(ethereumAddress(world), { inputAmount: String(world.serial + 1) }),
  },
  effect: () => ({}),
});
