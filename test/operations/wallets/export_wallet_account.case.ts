import { activityCase } from '../case.ts';
import { targetPublicKey } from './transfer_requests.ts';

export default activityCase({
  types: 'EXPORT_WALLET_ACCOUNT',
  subject: 'WALLET EXPORT',
  rule: 'policies',
  calls: [{ parameters: ({ address }) => ({ address, targetPublicKey }) }],
});
