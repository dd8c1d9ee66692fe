import { idOf } from '../../simulation/request_parts.ts';
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
  generate: {
    weight: 1,
    parameters: (world) => ({
      endpointId: idOf(world, 'webhook_endpoint'),
      isActive: world.choice.chance(0.7),
    }),
  },
  effect: ({ intent: { endpointId, isActive }, after }) => ({
    updated: { webhook_endpoint: [endpointId] },
    facts: { 'it is as asked': after.rows.webhook_endpoint.get(endpointId)?.isActive === isActive },
  }),
});
