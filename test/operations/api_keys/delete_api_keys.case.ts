import { idOf, rowsOf, unknownId } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_API_KEYS',
  subject: 'CREDENTIAL DELETE',
  rule: 'policies or oneself',
  calls: [{ parameters: ({ userId, apiKeyId }) => ({ userId, apiKeyIds: [apiKeyId] }) }],
  generate: {
    weight: 4,
    parameters: (world) => {
      const [key] = world.choice.some(rowsOf(world, 'api_key'), 1);
      return key === undefined
        ? { userId: idOf(world, 'user'), apiKeyIds: [unknownId] }
        : { userId: key.userId, apiKeyIds: [key.id] };
    },
  },
  effect: ({ intent }) => ({ deleted: { api_key: intent.apiKeyIds } }),
});
