import { deleteControl } from '../../core/policy/velocity/controls.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_velocity_controls = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_VELOCITY_CONTROLS'),
  summary:
    'Deletes velocity controls and their counters. Rejected while a policy reads one of them.',
  subject: { resource: 'POLICY', action: 'DELETE' },
  authority: 'velocity_control',
  parameters: object({ velocityControlIds: list(uuid(), { minimum: 1, maximum: 20 }) }),
  result: object({ velocityControlIds: answerList(answerText()) }),

  apply: ({ organization, parameters: { velocityControlIds } }) => ({
    velocityControlIds: velocityControlIds.map((id) => deleteControl(id, organization).id),
  }),
});
