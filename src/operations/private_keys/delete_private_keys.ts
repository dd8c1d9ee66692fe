import { deletePrivateKey, requirePrivateKey } from '../../core/keys/private_keys.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import {
  answerList,
  answerText,
  boolean,
  list,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_private_keys = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS'),
  summary: 'Deletes private keys; they cannot be restored.',
  subject: { resource: 'PRIVATE_KEY', action: 'DELETE' },
  authority: 'none',
  parameters: object({
    privateKeyIds: list(uuid(), { minimum: 1 }),
    deleteWithoutExport: optional(boolean()),
  }),
  result: object({ privateKeyIds: answerList(answerText()) }),

  facts: ({ parameters }) => ({
    unreadKeyIds: parameters.privateKeyIds.map((id) => id.toLowerCase()),
  }),
  apply: ({ organization, parameters }) => {
    const privateKeyIds = distinctIds(parameters.privateKeyIds, 'parameters.privateKeyIds');
    for (const id of privateKeyIds) {
      const privateKey = requirePrivateKey(organization, id);
      deletePrivateKey(privateKey, parameters.deleteWithoutExport ?? false, organization);
    }
    return { privateKeyIds };
  },
});
