import { distinctIds } from '../../core/distinct_ids.ts';
import { policy } from '../../core/policy/access.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { deleteUsers, requireUser } from '../../core/users.ts';
import { activity } from '../operation.ts';

export const delete_users = activity({
  wire: {
    type: 'ACTIVITY_TYPE_DELETE_USERS',
    intent: 'deleteUsersIntent',
    result: 'deleteUsersResult',
  },
  summary: 'Deletes users with their credentials; members of the root quorum stay.',
  subject: { resource: 'USER', action: 'DELETE' },
  parameters: object({ userIds: list(uuid(), { minimum: 1 }) }),
  result: object({ userIds: answerList(answerText()) }),

  access: policy(),

  facts: ({ parameters }) => ({ params: { user_ids: parameters.userIds } }),
  apply: ({ organization, parameters }) => {
    const userIds = distinctIds(parameters.userIds, 'parameters.userIds');
    deleteUsers(
      userIds.map((id) => requireUser(organization, id)),
      organization,
    );
    return { userIds };
  },
});
