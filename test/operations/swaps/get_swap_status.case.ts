import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ swapRequestId }) => ({ swapRequestId }) }],
  generate: (world) => ({ swapRequestId: idOf(world, 'send') }),
});
