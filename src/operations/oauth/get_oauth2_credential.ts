import { requireOauth2Credential } from '../../core/auth/oauth2/credentials.ts';
import { object, uuid } from '../../core/schema/schema.ts';
import { oauth2CredentialView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { oauth2CredentialShape } from './oauth2_shapes.ts';

export const get_oauth2_credential = query({
  summary: 'Returns a client of an OAuth 2.0 provider, its secret still encrypted.',
  body: object({ oauth2CredentialId: uuid() }),
  response: object({ oauth2Credential: oauth2CredentialShape() }),

  answer: ({ organization, body }) => {
    const found = requireOauth2Credential(organization, body.oauth2CredentialId);
    return { oauth2Credential: oauth2CredentialView(found, organization.id) };
  },
});
