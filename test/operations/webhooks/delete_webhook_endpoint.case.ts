import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_WEBHOOK_ENDPOINT',
  subject: 'WEBHOOK_ENDPOINT DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId }) }],
  generate: {
    weight: 0.8,
    parameters: (world) => ({ endpointId: idOf(world, 'webhook_endpoint') }),
  },
  effect: ({ intent: { endpointId } }) => ({
    deleted: { webhook_endpoint: [endpointId] },
  }),
});
