import { activityCase } from '../case.ts';
import { describedCredential } from './oauth_requests.ts';

export default activityCase({
  types: 'CREATE_OAUTH2_CREDENTIAL',
  subject: 'AUTH CREATE',
  rule: 'policies',
  calls: [{ parameters: () => describedCredential() }],
  generate: {
    weight: 1.5,
    parameters: ({ choice }) => describedCredential({ clientId: `client ${choice.below(8)}` }),
  },
  effect: ({ result }) => ({
    created: { oauth2_credential: [result.oauth2CredentialId] },
  }),
});
