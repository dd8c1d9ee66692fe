import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';
import { describedEndpoint } from './webhook_requests.ts';

export default activityCase({
  types: 'CREATE_WEBHOOK_ENDPOINT',
  subject: 'WEBHOOK_ENDPOINT CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedEndpoint({ name: label }) }],
});
