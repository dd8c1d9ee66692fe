import { accessTypes } from '../../core/base/enums.ts';
import { answerList, answerText, object, oneOf, timestamp } from '../../core/schema/schema.ts';

/** An invitation as answers show it; a deleted one is gone. */
export const invitationShape = () =>
  object({
    invitationId: answerText(),
    receiverUserName: answerText(),
    receiverEmail: answerText(),
    receiverUserTags: answerList(answerText()),
    accessType: oneOf(accessTypes),
    status: oneOf(['INVITATION_STATUS_CREATED', 'INVITATION_STATUS_ACCEPTED']),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    senderUserId: answerText(),
  });
