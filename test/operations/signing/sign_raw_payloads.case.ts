import { activityCase } from '../case.ts';
import { one, payloadForm, signers } from '../case_parts.ts';

export default activityCase({
  types: 'SIGN_RAW_PAYLOADS',
  subject: 'PRIVATE_KEY SIGN',
  rule: 'policies',
  calls: signers((signWith) => ({ signWith, payloads: [one], ...payloadForm })),
});
