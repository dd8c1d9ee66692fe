import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_USER_TAG',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ userTagId, userId }) => ({
        userTagId,
        newUserTagName: label,
        addUserIds: [userId],
        removeUserIds: [],
      }),
    },
    {
      parameters: ({ userTagId, userId }) => ({
        userTagId,
        addUserIds: [],
        removeUserIds: [userId],
      }),
    },
  ],
});
