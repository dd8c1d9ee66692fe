import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ROTATE_WEBHOOK_KEY',
  subject: 'ORGANIZATION UPDATE',
  // An operation of our own, which decides about what receivers trust.
  rule: 'quorum',
  calls: [{ by: 'parent', parameters: () => ({ immediately: true }) }],
});
