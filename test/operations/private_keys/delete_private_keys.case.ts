import { idsOf } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_PRIVATE_KEYS',
  subject: 'PRIVATE_KEY DELETE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyId }) => ({
        privateKeyIds: [privateKeyId],
        deleteWithoutExport: true,
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      privateKeyIds: idsOf(world, 'private_key', 1),
      deleteWithoutExport: true,
    }),
  },
  effect: ({ intent }) => ({ deleted: { private_key: intent.privateKeyIds } }),
});
