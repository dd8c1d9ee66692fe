import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_POLICY_SETTINGS',
  subject: 'ORGANIZATION UPDATE',
  // An operation of our own, which decides about policies.
  rule: 'quorum',
  calls: [{ parameters: () => ({ failedDeny: 'FAILED_DENY_SKIPPED' }) }],
});
