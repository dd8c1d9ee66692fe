import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_TVC_MANIFEST_APPROVALS',
  subject: 'TVC_DEPLOYMENT UPDATE',
  rule: 'policies',
  calls: [
    {
      parameters: ({ manifestId, operatorId, approvalSignature: signature }) => ({
        manifestId,
        approvals: [{ operatorId, signature }],
      }),
    },
  ],
});
