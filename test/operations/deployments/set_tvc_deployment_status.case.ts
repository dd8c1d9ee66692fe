import { activityCase } from '../case.ts';

export default activityCase({
  types: 'SET_TVC_DEPLOYMENT_STATUS',
  subject: 'TVC_DEPLOYMENT UPDATE',
  // An operation of our own.
  rule: 'policies',
  calls: [
    { parameters: ({ liveDeploymentId: deploymentId }) => ({ deploymentId, readyReplicas: 1 }) },
  ],
});
