import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_INVITATION',
  subject: 'INVITATION DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ invitationId }) => ({ invitationId }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({ invitationId: idOf(world, 'invitation') }),
  },
  effect: ({ intent: { invitationId } }) => ({
    deleted: { invitation: [invitationId] },
  }),
});
