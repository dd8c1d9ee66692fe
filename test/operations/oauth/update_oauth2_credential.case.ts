import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { describedCredential } from './oauth_requests.ts';

export default activityCase({
  types: 'UPDATE_OAUTH2_CREDENTIAL',
  subject: 'AUTH UPDATE',
  rule: 'policies',
  calls: [
    { parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId, ...describedCredential() }) },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      oauth2CredentialId: idOf(world, 'oauth2_credential'),
      ...describedCredential({ clientId: `client ${world.choice.below(8)}` }),
    }),
  },
  effect: ({ intent, after }) => ({
    updated: { oauth2_credential: [intent.oauth2CredentialId] },
    facts: {
      'it has the client':
        after.rows.oauth2_credential.get(intent.oauth2CredentialId)?.clientId === intent.clientId,
    },
  }),
});
