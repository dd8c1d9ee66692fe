import { deleteSecrets, requireSecret } from '../../core/keys/secrets.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_secrets = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_SECRETS'),
  summary: 'Deletes secrets; they cannot be restored.',
  subject: { resource: 'SECRET', action: 'DELETE' },
  authority: 'none',
  parameters: object({ secretIds: list(uuid(), { minimum: 1 }) }),
  result: object({ secretIds: answerList(answerText()) }),

  apply: ({ organization, parameters }) => {
    const secretIds = distinctIds(parameters.secretIds, 'parameters.secretIds');
    deleteSecrets(
      secretIds.map((id) => requireSecret(organization, id)),
      organization,
    );
    return { secretIds };
  },
});
