import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { deleteApiKeys } from '../../core/users/api_keys.ts';
import { requireUsableCredential, requireUser } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_api_keys = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_API_KEYS'),
  summary: 'Deletes API keys of a user; the user must keep one credential.',
  subject: { resource: 'CREDENTIAL', action: 'DELETE' },
  authority: 'removed_credential',
  parameters: object({ userId: uuid(), apiKeyIds: list(uuid(), { minimum: 1 }) }),
  result: object({ apiKeyIds: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),

  facts: ({ parameters }) => ({
    params: {
      user_id: parameters.userId.toLowerCase(),
      api_key_ids: parameters.apiKeyIds.map((id) => id.toLowerCase()),
    },
  }),
  apply: ({ organization, parameters }) => {
    const user = requireUser(organization, parameters.userId);
    const apiKeyIds = distinctIds(parameters.apiKeyIds, 'parameters.apiKeyIds');
    const longLived = deleteApiKeys(user.id, apiKeyIds, organization);
    // The key of a session can always be deleted, because the user does not sign in with it.
    if (longLived > 0) requireUsableCredential(user, organization);
    return { apiKeyIds };
  },
});
