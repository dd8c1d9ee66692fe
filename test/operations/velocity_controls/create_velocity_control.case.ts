import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';
import { describedControl } from './velocity_control_requests.ts';

export default activityCase({
  types: 'CREATE_VELOCITY_CONTROL',
  subject: 'POLICY CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedControl({ name: label, identifier: 'other' }) }],
});
