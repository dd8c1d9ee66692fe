import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_USER_TAG',
  subject: 'USER CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userTagName: label, userIds: [userId] }) }],
});
