import { createControl } from '../../core/policy/velocity/controls.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { velocityControlParameters } from './velocity_control_shapes.ts';

export const create_velocity_control = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL'),
  summary: 'Creates a limit over time, which policies read as `controls.<identifier>`.',
  subject: { resource: 'POLICY', action: 'CREATE' },
  authority: 'velocity_control',
  parameters: velocityControlParameters(),
  result: object({ velocityControlId: answerText() }),

  apply: ({ organization, parameters, context }) => ({
    velocityControlId: createControl(parameters, organization, context).id,
  }),
});
