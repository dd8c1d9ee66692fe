import { activityCase } from '../case.ts';
import { targetPublicKey } from './transfer_requests.ts';

export default activityCase({
  types: 'EXPORT_WALLET',
  subject: 'WALLET EXPORT',
  rule: 'policies',
  calls: [{ parameters: ({ walletId }) => ({ walletId, targetPublicKey }) }],
});
