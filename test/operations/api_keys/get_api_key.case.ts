import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ apiKeyId }) => ({ apiKeyId }) }],
  generate: (world) => ({ apiKeyId: idOf(world, 'api_key') }),
});
