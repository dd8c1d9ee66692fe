import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'CREATE_PRIVATE_KEY_TAG',
  subject: 'PRIVATE_KEY CREATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyId }) => ({
        privateKeyTagName: label,
        privateKeyIds: [privateKeyId],
      }),
    },
  ],
});
