import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ privateKeyId }) => ({ privateKeyId }) }],
  generate: (world) => ({ privateKeyId: idOf(world, 'private_key') }),
});
