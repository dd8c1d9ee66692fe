import { activityCase } from '../case.ts';
import { signers, transaction } from '../case_parts.ts';

export default activityCase({
  types: 'SIGN_TRANSACTION_V2 SIGN_TRANSACTION',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: signers((signWith) => ({ signWith, ...transaction })),
});
