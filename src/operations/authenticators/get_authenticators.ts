import { answerList, object, uuid } from '../../core/schema/schema.ts';
import { authenticatorsOfUser } from '../../core/users/authenticators.ts';
import { requireUser } from '../../core/users/users.ts';
import { authenticatorView } from '../../core/views/wire.ts';
import { authenticatorShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_authenticators = query({
  summary: 'Lists the passkeys of a user, oldest first.',
  body: object({ userId: uuid() }),
  response: object({ authenticators: answerList(authenticatorShape()) }),

  answer: ({ organization, body }) => {
    const user = requireUser(organization, body.userId);
    return { authenticators: authenticatorsOfUser(organization, user.id).map(authenticatorView) };
  },
});
