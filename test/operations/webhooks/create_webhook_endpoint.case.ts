import { activityStatuses } from '../../../src/core/base/enums.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';
import { describedEndpoint } from './webhook_requests.ts';

export default activityCase({
  types: 'CREATE_WEBHOOK_ENDPOINT',
  subject: 'WEBHOOK_ENDPOINT CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedEndpoint({ name: label }) }],
  generate: {
    weight: 1.6,
    parameters: ({ choice, serial }) => ({
      url: `https://hooks.example/${serial}`,
      name: `Hook ${serial}`,
      subscriptions: [
        {
          eventType: 'ACTIVITY_UPDATES',
          isActive: choice.chance(0.9),
          ...(choice.chance(0.7)
            ? {}
            : { filtersJson: JSON.stringify({ statuses: [choice.pick(activityStatuses)] }) }),
        },
      ],
    }),
  },
  effect: ({ intent, result: { endpointId }, after }) => ({
    created: { webhook_endpoint: [endpointId] },
    facts: {
      'it is active': after.rows.webhook_endpoint.get(endpointId)?.isActive === true,
      'it has its name': after.rows.webhook_endpoint.get(endpointId)?.name === intent.name,
    },
  }),
});
