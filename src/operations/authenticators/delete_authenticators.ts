import { policyOrOwnUser } from '../../core/policy/decision/access.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { deleteAuthenticators } from '../../core/users/authenticators.ts';
import { requireUsableCredential, requireUser } from '../../core/users/users.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_authenticators = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_AUTHENTICATORS'),
  summary: 'Deletes passkeys of a user; the user must keep one credential.',
  subject: { resource: 'CREDENTIAL', action: 'DELETE' },
  authority: 'removed_credential',
  parameters: object({ userId: uuid(), authenticatorIds: list(uuid(), { minimum: 1 }) }),
  result: object({ authenticatorIds: answerList(answerText()) }),

  access: policyOrOwnUser(({ userId }: { readonly userId: string }) => userId.toLowerCase()),

  apply: ({ organization, parameters }) => {
    const user = requireUser(organization, parameters.userId);
    const ids = distinctIds(parameters.authenticatorIds, 'parameters.authenticatorIds');
    deleteAuthenticators(user.id, ids, organization);
    requireUsableCredential(user, organization);
    return { authenticatorIds: ids };
  },
});
