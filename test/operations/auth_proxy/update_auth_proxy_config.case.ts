import { activityCase } from '../case.ts';

export default activityCase({
  types: 'UPDATE_AUTH_PROXY_CONFIG',
  subject: 'AUTH_PROXY UPDATE',
  rule: 'policies',
  calls: [{ by: 'parent', parameters: () => ({ allowedOrigins: ['https://wallet.example'] }) }],
});
