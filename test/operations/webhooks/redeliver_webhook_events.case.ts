import { activityCase } from '../case.ts';

export default activityCase({
  types: 'REDELIVER_WEBHOOK_EVENTS',
  subject: 'WEBHOOK_ENDPOINT UPDATE',
  // An operation of our own.
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
});
