import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ETH_UNDELEGATE_7702 ETH_UNDELEGATE7702',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ address: from }) => ({ from, caip2: 'eip155:1' }) }],
});
