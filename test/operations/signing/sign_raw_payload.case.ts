import { activityCase } from '../case.ts';
import { payload, signers } from '../case_parts.ts';

export default activityCase({
  types: 'SIGN_RAW_PAYLOAD_V2 SIGN_RAW_PAYLOAD',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: signers((signWith) => ({ signWith, ...payload })),
});
