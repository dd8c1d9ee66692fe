import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_WEBHOOK_ENDPOINT',
  subject: 'WEBHOOK_ENDPOINT DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId }) }],
});
