import { answerList, object } from '../../core/schema/schema.ts';
import { oauth2CredentialView } from '../../core/views/wire.ts';
import { query } from '../operation.ts';
import { oauth2CredentialShape } from './oauth2_shapes.ts';

export const list_oauth2_credentials = query({
  summary: 'Lists the clients of OAuth 2.0 providers, oldest first.',
  body: object({}),
  response: object({ oauth2Credentials: answerList(oauth2CredentialShape()) }),

  answer: ({ organization }) => ({
    oauth2Credentials: organization
      .list('oauth2_credential')
      .map((credential) => oauth2CredentialView(credential, organization.id)),
  }),
});
