import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_INVITATIONS',
  subject: 'INVITATION CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ rootUserId, userTagId }) => ({
        invitations: [
          {
            receiverUserName: label,
            receiverUserEmail: 'guest@example.com',
            receiverUserTags: [userTagId],
            accessType: 'ACCESS_TYPE_ALL',
            senderUserId: rootUserId,
          },
        ],
      }),
    },
  ],
});
