import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DISABLE_AUTH_PROXY',
  subject: 'AUTH_PROXY DELETE',
  rule: 'policies',
  calls: [{ by: 'parent', parameters: () => ({}) }],
});
