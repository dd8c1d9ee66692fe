import { privateKeyOf } from '../../hostile/tenants.ts';
import { keyKinds, upTo } from '../../simulation/request_parts.ts';
import type { Wire } from '../../simulation/wire.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_PRIVATE_KEYS_V2 CREATE_PRIVATE_KEYS',
  subject: 'PRIVATE_KEY CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyTagId }) => ({
        privateKeys: [privateKeyOf(label, [privateKeyTagId])],
      }),
    },
  ],
  generate: {
    weight: 1,
    parameters: (world) => ({
      privateKeys: upTo(2, world, (i) => ({
        privateKeyName: `Key ${world.serial} ${i}`,
        ...world.choice.pick(keyKinds),
        privateKeyTags: [],
      })),
    }),
  },
  effect: ({ intent, result }) => ({
    created: { private_key: result.privateKeys.map((key: Wire) => key.privateKeyId) },
    facts: { 'all were made': result.privateKeys.length === intent.privateKeys.length },
  }),
});
