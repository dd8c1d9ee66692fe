import { answerText, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const whoami = query({
  summary: 'Returns the organization and the user that the credential of the request belongs to.',
  body: object({}),
  response: object({
    organizationId: answerText(),
    organizationName: answerText(),
    userId: answerText(),
    username: answerText(),
  }),

  findsChild: 'of its credential',

  answer: ({ caller, organization }) => ({
    organizationId: organization.id,
    organizationName: organization.head.name,
    userId: caller.user.id,
    username: caller.user.name,
  }),
});
