import { orUnknown, tagIds } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_PRIVATE_KEY_TAGS',
  subject: 'PRIVATE_KEY DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ privateKeyTagId }) => ({ privateKeyTagIds: [privateKeyTagId] }) }],
  generate: {
    weight: 1,
    parameters: (world) => ({
      privateKeyTagIds: orUnknown(tagIds(world, 'TAG_TYPE_PRIVATE_KEY')),
    }),
  },
  effect: ({ intent, result }) => ({
    deleted: { tag: intent.privateKeyTagIds },
    updated: { private_key: result.privateKeyIds },
  }),
});
