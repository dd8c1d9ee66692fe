import { describedPasskey } from '../authenticators/authenticator_requests.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'RECOVER_USER',
  subject: 'CREDENTIAL CREATE',
  // The public documents have no rule for it: it adds a passkey, and the recovery credential is the user's
  // own.
  rule: 'policies or oneself',
  calls: [
    {
      parameters: ({ userId }) => ({ userId, authenticator: describedPasskey('recovered') }),
    },
  ],
});
