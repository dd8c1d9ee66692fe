import { activityCase } from '../case.ts';
import { describedCredential } from './oauth_requests.ts';

export default activityCase({
  types: 'CREATE_OAUTH2_CREDENTIAL',
  subject: 'AUTH CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedCredential() }],
});
