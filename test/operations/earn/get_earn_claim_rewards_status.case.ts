import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ claimRequestId }) => ({ claimRequestId }) }],
  generate: (world) => ({ claimRequestId: idOf(world, 'send') }),
});
