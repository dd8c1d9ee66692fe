import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_TVC_APP_AND_DEPLOYMENTS',
  subject: 'TVC_APP DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ tvcAppId: appId }) => ({ appId }) }],
});
