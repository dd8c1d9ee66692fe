import { policy } from '../../core/policy/decision/access.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { deleteInvitation } from '../../core/users/invitations.ts';
import { activity } from '../operation.ts';

export const delete_invitation = activity({
  wire: {
    type: 'ACTIVITY_TYPE_DELETE_INVITATION',
    intent: 'deleteInvitationIntent',
    result: 'deleteInvitationResult',
  },
  summary: 'Deletes an invitation.',
  subject: { resource: 'INVITATION', action: 'DELETE' },
  authority: 'none',
  parameters: object({ invitationId: uuid() }),
  result: object({ invitationId: answerText() }),

  access: policy(),

  apply: ({ organization, parameters }) => ({
    invitationId: deleteInvitation(parameters.invitationId, organization),
  }),
});
