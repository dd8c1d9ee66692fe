import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_TVC_DEPLOYMENT',
  subject: 'TVC_DEPLOYMENT DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ openDeploymentId: deploymentId }) => ({ deploymentId }) }],
});
