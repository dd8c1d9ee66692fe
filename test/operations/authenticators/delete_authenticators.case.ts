import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_AUTHENTICATORS',
  subject: 'CREDENTIAL DELETE',
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId, authenticatorId }) => ({
        userId,
        authenticatorIds: [authenticatorId],
      }),
    },
  ],
});
