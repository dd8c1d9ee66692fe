import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_SESSION_PROFILE',
  subject: 'SESSION_PROFILE CREATE',
  rule: 'policies',
  calls: [
    {
      by: 'parent',
      parameters: () => ({ sessionProfileName: label, scope: 'true', expirationSeconds: '60' }),
    },
  ],
});
