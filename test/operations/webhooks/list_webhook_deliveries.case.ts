import { idOf, pageLimit } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    { parameters: ({ webhookEndpointId: endpointId }) => ({ endpointId, withBodies: true }) },
  ],
  generate: (world) => ({
    endpointId: idOf(world, 'webhook_endpoint'),
    withBodies: true,
    limit: String(pageLimit),
  }),
});
