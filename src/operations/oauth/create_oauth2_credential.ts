import { createOauth2Credential, requireOwnEnvelope } from '../../core/auth/oauth2/credentials.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { oauth2CredentialParameters } from './oauth2_shapes.ts';

export const create_oauth2_credential = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL'),
  summary: 'Stores a client of an OAuth 2.0 provider, its secret encrypted to the service.',
  subject: { resource: 'AUTH', action: 'CREATE' },
  authority: 'oauth_client',
  parameters: object(oauth2CredentialParameters()),
  result: object({ oauth2CredentialId: answerText() }),

  load: ({ organization, parameters, read, services }) =>
    requireOwnEnvelope(parameters, organization, read, services),
  claims: ({ loaded }) => loaded.claims,

  apply: ({ organization, parameters, context, services: { serviceKeys } }) => {
    const created = createOauth2Credential(parameters, organization, context, serviceKeys);
    return { oauth2CredentialId: created.id };
  },
});
