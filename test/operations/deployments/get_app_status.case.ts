import { idOf } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ tvcAppId: appId }) => ({ appId }) }],
  generate: (world) => ({ appId: idOf(world, 'tvc_app') }),
});
