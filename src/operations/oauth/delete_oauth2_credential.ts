import { deleteOauth2Credential } from '../../core/auth/oauth2/credentials.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_oauth2_credential = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL'),
  summary: 'Deletes a client of an OAuth 2.0 provider; identities created with it stay.',
  subject: { resource: 'AUTH', action: 'DELETE' },
  authority: 'oauth_client',
  parameters: object({ oauth2CredentialId: uuid() }),
  result: object({ oauth2CredentialId: answerText() }),

  apply: ({ organization, parameters }) => ({
    oauth2CredentialId: deleteOauth2Credential(parameters.oauth2CredentialId, organization),
  }),
});
