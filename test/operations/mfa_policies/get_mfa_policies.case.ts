import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ userId }) => ({ userId }) }],
  generate: (world) => ({ userId: idOf(world, 'user') }),
});
