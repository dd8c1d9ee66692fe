import { policyOf } from '../../hostile/tenants.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_POLICY_V3 CREATE_POLICY_V2 CREATE_POLICY',
  subject: 'POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: () => policyOf(label) }],
});
