import { activityCase } from '../case.ts';
import { targetPublicKey } from '../wallets/transfer_requests.ts';

export default activityCase({
  types: 'EXPORT_PRIVATE_KEY',
  subject: 'PRIVATE_KEY EXPORT',
  rule: 'policies',
  calls: [{ parameters: ({ privateKeyId }) => ({ privateKeyId, targetPublicKey }) }],
});
