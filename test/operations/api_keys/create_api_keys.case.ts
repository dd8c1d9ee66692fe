import { idsWhere } from '../../simulation/effect_parts.ts';
import { generatedApiKey, idOf, upTo } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { newApiKey } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_API_KEYS_V2 CREATE_API_KEYS',
  subject: 'CREDENTIAL CREATE',
  rule: 'policies or oneself',
  calls: [{ parameters: ({ userId }) => ({ userId, apiKeys: [newApiKey('another key')] }) }],
  generate: {
    weight: 4,
    parameters: (world) => ({
      apiKeys: upTo(2, world, () => generatedApiKey(world, world.choice.chance(0.6))),
      userId: idOf(world, 'user'),
    }),
  },
  effect: ({ intent, result, before }) => ({
    created: { api_key: result.apiKeyIds },
    mayGo: {
      api_key: idsWhere(
        before,
        'api_key',
        (key) => key.userId === intent.userId && key.expirationSeconds !== undefined,
      ),
    },
  }),
});
