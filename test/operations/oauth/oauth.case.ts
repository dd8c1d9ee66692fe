import { activityCase } from '../case.ts';

export default activityCase({
  types: 'OAUTH',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [
    {
      parameters: ({ oidcToken, sessionPublicKey: targetPublicKey }) => ({
        oidcToken,
        targetPublicKey,
      }),
    },
  ],
});
