import { activityCase } from '../case.ts';
import { describedPasskey } from './authenticator_requests.ts';

export default activityCase({
  types: 'CREATE_AUTHENTICATORS_V2 CREATE_AUTHENTICATORS',
  subject: 'CREDENTIAL CREATE',
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId }) => ({
        userId,
        authenticators: [describedPasskey('another passkey')],
      }),
    },
  ],
});
