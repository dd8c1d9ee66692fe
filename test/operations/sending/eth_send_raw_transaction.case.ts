import { activityCase } from '../case.ts';
import { foreignTransaction } from './send_requests.ts';

export default activityCase({
  types: 'ETH_SEND_RAW_TRANSACTION',
  subject: 'TRANSACTION CREATE',
  // It signs nothing: policies name its kind.
  rule: 'policies',
  calls: [{ parameters: () => ({ signedTransaction: foreignTransaction(), caip2: 'eip155:1' }) }],
});
