import { activityCase } from '../case.ts';

export default activityCase({
  types: 'INIT_IMPORT_PRIVATE_KEY',
  subject: 'PRIVATE_KEY IMPORT',
  rule: 'policies',
  calls: [{ parameters: ({ rootUserId: userId }) => ({ userId }) }],
});
