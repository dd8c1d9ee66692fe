import { policyOf } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_POLICIES',
  subject: 'POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: () => ({ policies: [policyOf(label)] }) }],
});
