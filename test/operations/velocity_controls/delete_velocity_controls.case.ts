import { idsWhere } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_VELOCITY_CONTROLS',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ velocityControlId }) => ({ velocityControlIds: [velocityControlId] }) }],
  generate: {
    weight: 0.4,
    parameters: (world) => ({ velocityControlIds: [idOf(world, 'velocity_control')] }),
  },
  effect: ({ intent: { velocityControlIds: ids }, before }) => ({
    deleted: {
      velocity_control: ids,
      velocity_counter: idsWhere(before, 'velocity_counter', (row) => ids.includes(row.controlId)),
    },
  }),
});
