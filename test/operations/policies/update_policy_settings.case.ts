import { failedDenyModes } from '../../../src/core/organization/model.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_POLICY_SETTINGS',
  subject: 'ORGANIZATION UPDATE',
  // This operation exists only in this service, and changes how policies decide.
  rule: 'quorum',
  calls: [{ parameters: () => ({ failedDeny: 'FAILED_DENY_SKIPPED' }) }],
  generate: {
    weight: 1,
    parameters: ({ choice }) => ({ failedDeny: choice.pick(failedDenyModes) }),
  },
  effect: ({ intent, after }) => ({
    head: true,
    facts: { 'it is set': after.head.failedDeny === intent.failedDeny },
  }),
});
