import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_TVC_APP_LIVE_DEPLOYMENT',
  subject: 'TVC_APP UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId }) }],
});
