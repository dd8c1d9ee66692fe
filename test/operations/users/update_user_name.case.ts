import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_USER_NAME',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userId, userName: label }) }],
});
