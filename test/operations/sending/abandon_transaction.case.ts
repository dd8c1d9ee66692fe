import { activityCase } from '../case.ts';

export default activityCase({
  types: 'ABANDON_TRANSACTION',
  subject: 'TRANSACTION DELETE',
  rule: 'policies',
  calls: [{ parameters: ({ sendTransactionStatusId }) => ({ sendTransactionStatusId }) }],
});
