import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_USER_EMAIL',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userId, userEmail: 'new@example.com' }) }],
});
