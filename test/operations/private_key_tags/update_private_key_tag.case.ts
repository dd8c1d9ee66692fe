import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'UPDATE_PRIVATE_KEY_TAG',
  subject: 'PRIVATE_KEY UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyTagId, privateKeyId }) => ({
        privateKeyTagId,
        newPrivateKeyTagName: label,
        addPrivateKeyIds: [privateKeyId],
        removePrivateKeyIds: [],
      }),
    },
    {
      parameters: ({ privateKeyTagId, privateKeyId }) => ({
        privateKeyTagId,
        addPrivateKeyIds: [],
        removePrivateKeyIds: [privateKeyId],
      }),
    },
  ],
});
