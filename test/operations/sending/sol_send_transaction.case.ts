import { activityCase } from '../case.ts';
import { describedSolanaSend } from './solana_requests.ts';

export default activityCase({
  types: 'SOL_SEND_TRANSACTION_V2 SOL_SEND_TRANSACTION',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: [{ parameters: ({ solanaAddress }) => describedSolanaSend([solanaAddress]) }],
});
