import { object, uuid } from '../../core/schema/schema.ts';
import { requireAuthenticator } from '../../core/users/authenticators.ts';
import { authenticatorView } from '../../core/views/wire.ts';
import { authenticatorShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_authenticator = query({
  summary: 'Returns a passkey.',
  body: object({ authenticatorId: uuid() }),
  response: object({ authenticator: authenticatorShape() }),

  answer: ({ organization, body }) => ({
    authenticator: authenticatorView(requireAuthenticator(organization, body.authenticatorId)),
  }),
});
