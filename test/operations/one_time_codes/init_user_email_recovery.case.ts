import { activityCase } from '../case.ts';
import { describedMail } from '../case_parts.ts';

export default activityCase({
  types: 'INIT_USER_EMAIL_RECOVERY_V2 INIT_USER_EMAIL_RECOVERY',
  subject: 'RECOVERY CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [{ parameters: describedMail }],
});
