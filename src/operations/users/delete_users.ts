import { deleteFreezesOfUsers } from '../../core/freezes/freezes.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { deleteUsers } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_users = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_USERS'),
  summary: 'Deletes users with their credentials; members of the root quorum cannot be deleted.',
  subject: { resource: 'USER', action: 'DELETE' },
  authority: 'removed_credential',
  parameters: object({ userIds: list(uuid(), { minimum: 1 }) }),
  result: object({ userIds: answerList(answerText()) }),

  facts: ({ parameters }) => ({
    params: { user_ids: parameters.userIds.map((id) => id.toLowerCase()) },
  }),
  apply: ({ organization, parameters }) => {
    const userIds = deleteUsers(parameters.userIds, organization, 'parameters.userIds');
    deleteFreezesOfUsers(userIds, organization);
    return { userIds };
  },
});
