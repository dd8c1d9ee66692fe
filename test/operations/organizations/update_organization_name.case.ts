import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_ORGANIZATION_NAME',
  subject: 'ORGANIZATION UPDATE',
  // The documents of public clients list it among the operations of the root quorum.
  rule: 'quorum',
  calls: [{ parameters: () => ({ organizationName: label }) }],
  generate: {
    weight: 2,
    parameters: ({ serial }) => ({ organizationName: `Organization ${serial}` }),
  },
  effect: ({ intent, after }) => ({
    head: true,
    facts: { 'it has the name': after.head.name === intent.organizationName },
  }),
});
