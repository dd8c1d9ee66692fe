import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ policyId }) => ({ policyId }) }],
  generate: (world) => ({ policyId: idOf(world, 'policy') }),
});
