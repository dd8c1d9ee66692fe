import { activityCase } from '../case.ts';

export default activityCase({
  types: 'DELETE_PRIVATE_KEYS',
  subject: 'PRIVATE_KEY DELETE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ privateKeyId }) => ({
        privateKeyIds: [privateKeyId],
        deleteWithoutExport: true,
      }),
    },
  ],
});
