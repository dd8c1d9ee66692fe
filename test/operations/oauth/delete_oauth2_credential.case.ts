import { idOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_OAUTH2_CREDENTIAL',
  subject: 'AUTH DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ oauth2CredentialId }) => ({ oauth2CredentialId }) }],
  generate: {
    weight: 0.7,
    parameters: (world) => ({ oauth2CredentialId: idOf(world, 'oauth2_credential') }),
  },
  effect: ({ intent }) => ({
    deleted: { oauth2_credential: [intent.oauth2CredentialId] },
  }),
});
