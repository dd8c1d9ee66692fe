import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_USER',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ userId, userTagId }) => ({
        userId,
        userName: label,
        userTagIds: [userTagId],
      }),
    },
  ],
});
