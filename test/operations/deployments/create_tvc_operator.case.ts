import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_TVC_OPERATOR',
  subject: 'TVC_OPERATOR CREATE',
  rule: 'policies',
  calls: [
    { parameters: () => ({ walletName: label, path: 'm/1', operatorName: label }) },
    { parameters: ({ walletId }) => ({ walletId, path: 'm/1', operatorName: label }) },
  ],
});
