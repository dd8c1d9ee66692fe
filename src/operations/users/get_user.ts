import { object, uuid } from '../../core/schema/schema.ts';
import { requireUser } from '../../core/users/users.ts';
import { userView } from '../../core/views/wire.ts';
import { userShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const get_user = query({
  summary: 'Returns a user with its credentials.',
  body: object({ userId: uuid() }),
  response: object({ user: userShape() }),

  answer: ({ organization, body }) => ({
    user: userView(requireUser(organization, body.userId), organization),
  }),
});
