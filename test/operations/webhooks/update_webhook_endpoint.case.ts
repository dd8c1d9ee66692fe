import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_WEBHOOK_ENDPOINT',
  subject: 'WEBHOOK_ENDPOINT UPDATE',
  rule: 'policies',
  calls: [
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId, name: label }) },
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId, isActive: false }) },
  ],
});
