import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { deleteOauthProviders } from '../../core/users/oauth_providers.ts';
import { requireUsableCredential, requireUser } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_oauth_providers = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS'),
  summary: 'Deletes OAuth identities of a user; the user must keep one credential.',
  subject: { resource: 'CREDENTIAL', action: 'DELETE' },
  authority: 'removed_credential',
  parameters: object({ userId: uuid(), providerIds: list(uuid(), { minimum: 1 }) }),
  result: object({ providerIds: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),

  apply: ({ organization, parameters }) => {
    const user = requireUser(organization, parameters.userId);
    const ids = distinctIds(parameters.providerIds, 'parameters.providerIds');
    deleteOauthProviders(user.id, ids, organization);
    requireUsableCredential(user, organization);
    return { providerIds: ids };
  },
});
