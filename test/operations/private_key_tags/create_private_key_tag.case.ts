import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_PRIVATE_KEY_TAG',
  subject: 'PRIVATE_KEY CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyId }) => ({
        privateKeyTagName: label,
        privateKeyIds: [privateKeyId],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      privateKeyTagName: `Tag ${world.serial}`,
      privateKeyIds: idsOf(world, 'private_key', 2),
    }),
  },
  effect: ({ intent, result }) => ({
    created: { tag: [result.privateKeyTagId] },
    updated: { private_key: intent.privateKeyIds },
  }),
});
