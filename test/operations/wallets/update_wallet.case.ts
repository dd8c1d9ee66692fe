import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_WALLET',
  subject: 'WALLET UPDATE',
  rule: 'policies',
  calls: [{ parameters: ({ walletId }) => ({ walletId, walletName: label }) }],
});
