import { idsOf, split, tagIds, unknownId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_PRIVATE_KEY_TAG',
  subject: 'PRIVATE_KEY UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyTagId, privateKeyId }) => ({
        privateKeyTagId,
        newPrivateKeyTagName: label,
        addPrivateKeyIds: [privateKeyId],
        removePrivateKeyIds: [],
      }),
    },
    {
      parameters: ({ privateKeyTagId, privateKeyId }) => ({
        privateKeyTagId,
        addPrivateKeyIds: [],
        removePrivateKeyIds: [privateKeyId],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      privateKeyTagId: tagIds(world, 'TAG_TYPE_PRIVATE_KEY')[0] ?? unknownId,
      ...split(idsOf(world, 'private_key', 2), 'addPrivateKeyIds', 'removePrivateKeyIds'),
    }),
  },
  effect: ({ intent }) => ({
    updated: {
      tag: [intent.privateKeyTagId],
      private_key: [...intent.addPrivateKeyIds, ...intent.removePrivateKeyIds],
    },
  }),
});
