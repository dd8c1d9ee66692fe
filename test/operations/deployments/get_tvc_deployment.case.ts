import { deploymentId } from '../../simulation/request_parts.ts';
import { queryCase } from '../case.ts';

export default queryCase({
  readers: 'every user',
  calls: [{ parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId }) }],
  generate: (world) => ({ deploymentId: deploymentId(world, () => true) }),
});
