import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_USER_TAGS',
  subject: 'USER DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ userTagId }) => ({ userTagIds: [userTagId] }) }],
});
