import { answerText, label, list, object, optional, uuid } from '../../core/schema/schema.ts';
import { updateUser } from '../../core/users/users.ts';
import { email, phoneNumber } from '../credential_shapes.ts';
import { activity, wireOf } from '../operation.ts';

/**
 * Absent members change nothing. `userTagIds` replaces all tags, but an empty list also changes nothing,
 * because clients that do not use tags send it.
 */
export const update_user = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_USER'),
  summary: 'Updates the name, contacts and tags of a user.',
  subject: { resource: 'USER', action: 'UPDATE' },
  authority: 'contact',
  parameters: object({
    userId: uuid(),
    userName: optional(label()),
    userEmail: optional(email()),
    userTagIds: optional(list(uuid())),
    userPhoneNumber: optional(phoneNumber()),
  }),
  result: object({ userId: answerText() }),

  apply: ({ organization, parameters, submitterCredentialId, context }) => {
    const { userId, userName, userEmail, userTagIds, userPhoneNumber } = parameters;
    const changes = {
      name: userName,
      email: userEmail,
      phoneNumber: userPhoneNumber,
      signedWith: submitterCredentialId,
      tagIds: userTagIds?.length === 0 ? undefined : userTagIds,
    };
    return { userId: updateUser(userId, changes, organization, context.now).id };
  },
});
