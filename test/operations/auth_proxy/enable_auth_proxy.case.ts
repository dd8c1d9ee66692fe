import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ENABLE_AUTH_PROXY',
  subject: 'AUTH_PROXY CREATE',
  rule: 'policies',
  calls: [{ by: 'unrelated', parameters: () => ({}) }],
});
