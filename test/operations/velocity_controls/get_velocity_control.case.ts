import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ velocityControlId }) => ({ velocityControlId }) }],
  generate: (world) => ({ velocityControlId: idOf(world, 'velocity_control') }),
});
