import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_USERS',
  subject: 'USER DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userIds: [userId] }) }],
});
