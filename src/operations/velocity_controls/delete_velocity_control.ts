import { deleteControl } from '../../core/policy/velocity/controls.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_velocity_control = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_VELOCITY_CONTROL'),
  summary: 'Deletes a velocity control with what it counted; refused while a policy reads it.',
  subject: { resource: 'POLICY', action: 'DELETE' },
  authority: 'velocity_control',
  parameters: object({ velocityControlId: uuid() }),
  result: object({ velocityControlId: answerText() }),

  apply: ({ organization, parameters: { velocityControlId } }) => ({
    velocityControlId: deleteControl(velocityControlId, organization).id,
  }),
});
