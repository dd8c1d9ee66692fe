import { idsWhere } from '../../simulation/effect_parts.ts';
import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_VELOCITY_CONTROL',
  subject: 'POLICY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ velocityControlId }) => ({ velocityControlId }) }],
  generate: {
    weight: 0.8,
    parameters: (world) => ({ velocityControlId: idOf(world, 'velocity_control') }),
  },
  effect: ({ intent: { velocityControlId: id }, before }) => ({
    deleted: {
      velocity_control: [id],
      velocity_counter: idsWhere(before, 'velocity_counter', (row) => row.controlId === id),
    },
  }),
});
