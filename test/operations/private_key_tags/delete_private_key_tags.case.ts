import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_PRIVATE_KEY_TAGS',
  subject: 'PRIVATE_KEY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ privateKeyTagId }) => ({ privateKeyTagIds: [privateKeyTagId] }) }],
});
