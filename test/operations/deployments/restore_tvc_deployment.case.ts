import { activityCase } from '../case.ts';

export default activityCase({
  types: 'RESTORE_TVC_DEPLOYMENT',
  subject: 'TVC_DEPLOYMENT UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ deletedDeploymentId: deploymentId }) => ({ deploymentId }) }],
});
