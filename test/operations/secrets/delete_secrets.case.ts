import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_SECRETS',
  subject: 'SECRET DELETE',
  // No row is published for secrets; policies name their types.
  rule: 'policies',
  calls: [{ parameters: ({ secretId }) => ({ secretIds: [secretId] }) }],
});
