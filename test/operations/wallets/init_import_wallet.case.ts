import { activityCase } from '../case.ts';

export default activityCase({
  types: 'INIT_IMPORT_WALLET',
  subject: 'WALLET IMPORT',
  rule: 'policies',
  calls: [{ parameters: ({ rootUserId: userId }) => ({ userId }) }],
});
