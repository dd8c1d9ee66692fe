import { accessTypes } from '../../core/base/enums.ts';
import { answerList, answerText, object, oneOf, timestamps } from '../../core/schema/schema.ts';

/** An invitation in the form of answers. Deleted invitations are not stored. */
export const invitationShape = () =>
  object({
    invitationId: answerText(),
    receiverUserName: answerText(),
    receiverEmail: answerText(),
    receiverUserTags: answerList(answerText()),
    accessType: oneOf(accessTypes),
    status: oneOf(['INVITATION_STATUS_CREATED', 'INVITATION_STATUS_ACCEPTED']),
    ...timestamps(),
    senderUserId: answerText(),
  });
