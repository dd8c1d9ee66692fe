import { activityCase } from '../case.ts';
import { describedCode } from './oauth_requests.ts';

export default activityCase({
  types: 'OAUTH2_AUTHENTICATE',
  subject: 'AUTH CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ oauth2CredentialId: id }) => describedCode(id) }],
});
