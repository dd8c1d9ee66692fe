import { requireOwnEnvelope, updateOauth2Credential } from '../../core/auth/oauth2/credentials.ts';
import { answerText, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { oauth2CredentialParameters } from './oauth2_shapes.ts';

export const update_oauth2_credential = activity({
  wire: wireOf('ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL'),
  summary: 'Replaces a client of an OAuth 2.0 provider, its secret included.',
  subject: { resource: 'AUTH', action: 'UPDATE' },
  authority: 'oauth_client',
  parameters: object({ oauth2CredentialId: uuid(), ...oauth2CredentialParameters() }),
  result: object({ oauth2CredentialId: answerText() }),

  load: ({ organization, parameters, read, services }) =>
    requireOwnEnvelope(parameters, organization, read, services),
  claims: ({ loaded }) => loaded.claims,

  apply: ({ organization, parameters, context: { now }, services: { serviceKeys } }) => {
    const { oauth2CredentialId: id, ...described } = parameters;
    const updated = updateOauth2Credential(id, described, organization, now, serviceKeys);
    return { oauth2CredentialId: updated.id };
  },
});
