import { activityCase } from '../case.ts';
import { sessionKey } from '../case_parts.ts';

export default activityCase({
  types: 'STAMP_LOGIN',
  subject: 'AUTH CREATE',
  rule: 'policies or oneself',
  findsChild: true,
  calls: [{ parameters: sessionKey }],
});
