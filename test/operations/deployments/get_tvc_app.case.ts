import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ tvcAppId }) => ({ tvcAppId }) }],
  generate: (world) => ({ tvcAppId: idOf(world, 'tvc_app') }),
});
