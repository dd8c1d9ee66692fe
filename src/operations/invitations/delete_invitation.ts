import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { deleteInvitation } from '../../core/users/invitations.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_invitation = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_INVITATION'),
  summary: 'Deletes an invitation.',
  subject: { resource: 'INVITATION', action: 'DELETE' },
  authority: 'none',
  parameters: object({ invitationId: uuid() }),
  result: object({ invitationId: answerText() }),

  apply: ({ organization, parameters }) => ({
    invitationId: deleteInvitation(parameters.invitationId, organization),
  }),
});
