import { answerList, object } from '../../core/schema/schema.ts';
import { userView } from '../../core/views/wire.ts';
import { userShape } from '../credential_shapes.ts';
import { query } from '../operation.ts';

export const list_users = query({
  summary: 'Lists the users with their credentials, oldest first.',
  body: object({}),
  response: object({ users: answerList(userShape()) }),

  answer: ({ organization }) => ({
    users: organization.list('user').map((user) => userView(user, organization)),
  }),
});
