import { accessTypes } from '../../core/base/enums.ts';
import {
  answerList,
  answerText,
  label,
  list,
  object,
  oneOf,
  uuid,
} from '../../core/schema/schema.ts';
import { createInvitation } from '../../core/users/invitations.ts';
import { email } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

export const create_invitations = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_INVITATIONS'),
  summary:
    'Creates invitations, which note whom the organization expects. The service sends nothing, and an invitation gives no access.',
  subject: { resource: 'INVITATION', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    invitations: list(
      object({
        receiverUserName: label(),
        receiverUserEmail: email(),
        receiverUserTags: list(uuid()),
        accessType: oneOf(accessTypes),
        senderUserId: uuid(),
      }),
      { minimum: 1 },
    ),
  }),
  result: object({ invitationIds: answerList(answerText()) }),

  apply: ({ organization, parameters, submitter, context }) => ({
    invitationIds: parameters.invitations.map((invitation, i) => {
      const field = `parameters.invitations.${i}`;
      return createInvitation(invitation, submitter.id, organization, { ...context, field }).id;
    }),
  }),
});
