import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';
import { describedApp } from './deployment_requests.ts';

export default activityCase({
  types: 'CREATE_TVC_APP',
  subject: 'TVC_APP CREATE',
  rule: 'policies',
  calls: [
    { parameters: () => describedApp({ name: label }) },
    {
      parameters: ({ operatorSetId: manifestSetId }) => ({
        ...describedApp({ name: label }),
        manifestSetParams: null,
        manifestSetId,
      }),
    },
    {
      parameters: ({ operatorId }) => ({
        ...describedApp({ name: label }),
        manifestSetParams: { name: label, existingOperatorIds: [operatorId], threshold: 1 },
      }),
    },
  ],
});
