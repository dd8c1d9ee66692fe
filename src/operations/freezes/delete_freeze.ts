import { deleteFreeze } from '../../core/freezes/freezes.ts';
import { rootQuorumOnly } from '../../core/policy/decision/access.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_freeze = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_FREEZE'),
  summary: 'Deletes a freeze. Requires the root quorum.',
  subject: { resource: 'FREEZE', action: 'DELETE' },
  authority: 'root',
  parameters: object({ freezeId: uuid() }),
  result: object({ freezeId: answerText() }),

  access: rootQuorumOnly(),

  apply: ({ organization, parameters: { freezeId } }) => ({
    freezeId: deleteFreeze(freezeId, organization).id,
  }),
});
