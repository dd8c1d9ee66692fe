import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [
    {
      by: 'parent',
      parameters: ({ sessionProfileId }) => ({ sessionProfileId }),
    },
  ],
  generate: (world) => ({ sessionProfileId: idOf(world, 'session_profile') }),
});
