import { activityCase } from '../case.ts';

export default activityCase({
  types: 'SET_ORGANIZATION_FEATURE',
  subject: 'ORGANIZATION UPDATE',
  // Left to the root quorum by the list of the clients' documents.
  rule: 'quorum',
  calls: [{ parameters: () => ({ name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example' }) }],
});
