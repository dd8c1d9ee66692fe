import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ depositRequestId }) => ({ depositRequestId }) }],
  generate: (world) => ({ depositRequestId: idOf(world, 'send') }),
});
