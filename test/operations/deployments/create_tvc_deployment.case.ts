import { activityCase } from '../case.ts';
import { describedDeployment } from './deployment_requests.ts';

export default activityCase({
  types: 'CREATE_TVC_DEPLOYMENT',
  subject: 'TVC_DEPLOYMENT CREATE',
  rule: 'policies',
  calls: [{ parameters: ({ tvcAppId }) => describedDeployment(tvcAppId) }],
});
