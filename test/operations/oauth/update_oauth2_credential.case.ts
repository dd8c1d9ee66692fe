import { activityCase } from '../case.ts';
import { describedCredential } from './oauth_requests.ts';

export default activityCase({
  types: 'UPDATE_OAUTH2_CREDENTIAL',
  subject: 'AUTH UPDATE',
  rule: 'policies',
  calls: [
    { parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId, ...describedCredential() }) },
  ],
});
