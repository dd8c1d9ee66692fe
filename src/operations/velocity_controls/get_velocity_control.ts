import { controlView, requireControl } from '../../core/policy/velocity/controls.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { velocityControlShape } from './velocity_control_shapes.ts';

export const get_velocity_control = query({
  summary: 'Returns a velocity control.',
  body: object({ velocityControlId: uuid() }),
  response: object({ velocityControl: velocityControlShape() }),

  answer: ({ organization, body: { velocityControlId } }) => ({
    velocityControl: controlView(requireControl(organization, velocityControlId), organization.id),
  }),
});
