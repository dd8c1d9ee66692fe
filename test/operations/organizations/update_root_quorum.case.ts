import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_ROOT_QUORUM',
  subject: 'ORGANIZATION UPDATE',
  // Left to the root quorum by the list of the clients' documents.
  rule: 'quorum',
  calls: [{ parameters: ({ rootUserId }) => ({ threshold: 1, userIds: [rootUserId] }) }],
});
