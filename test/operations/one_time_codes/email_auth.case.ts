import { activityCase } from '../case.ts';
import { describedMail } from '../case_parts.ts';

export default activityCase({
  types: 'EMAIL_AUTH_V3 EMAIL_AUTH_V2 EMAIL_AUTH',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [{ parameters: describedMail }],
});
