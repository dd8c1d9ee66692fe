import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'REDELIVER_WEBHOOK_EVENTS',
  subject: 'WEBHOOK_ENDPOINT UPDATE',
  // This operation exists only in this service.
  rule: 'policies',
  calls: [
    {
      parameters: ({ webhookEndpointId: endpointId }) => ({
        endpointId,
        firstSequence: '1',
        lastSequence: '1',
      }),
    },
  ],
  generate: {
    weight: 1.2,
    parameters: (world) => ({
      endpointId: idOf(world, 'webhook_endpoint'),
      firstSequence: '1',
      lastSequence: String(1 + world.choice.below(5)),
    }),
  },
  effect: () => ({}),
});
