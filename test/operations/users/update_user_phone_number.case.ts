import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_USER_PHONE_NUMBER',
  subject: 'USER UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ userId }) => ({ userId, userPhoneNumber: '+15555550123' }) }],
});
