import { privateKeyTags } from '../../core/organization/tags.ts';
import { distinctIds } from '../../core/schema/distinct_ids.ts';
import { answerList, answerText, list, object, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';

export const delete_private_key_tags = activity({
  wire: wireOf('ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS'),
  summary: 'Deletes private key tags, and returns the private keys that had one of them.',
  subject: { resource: 'PRIVATE_KEY', action: 'DELETE' },
  authority: 'key_labels',
  parameters: object({ privateKeyTagIds: list(uuid(), { minimum: 1 }) }),
  result: object({
    privateKeyTagIds: answerList(answerText()),
    privateKeyIds: answerList(answerText()),
  }),

  apply: ({ organization, parameters, context }) => {
    const field = 'parameters.privateKeyTagIds';
    const privateKeyTagIds = distinctIds(parameters.privateKeyTagIds, field);
    const privateKeyIds = privateKeyTags.remove(privateKeyTagIds, context.now, organization);
    return { privateKeyTagIds, privateKeyIds };
  },
});
