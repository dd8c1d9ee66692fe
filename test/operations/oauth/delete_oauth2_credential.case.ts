import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_OAUTH2_CREDENTIAL',
  subject: 'AUTH DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId }) }],
});
