import { activityCase } from '../case.ts';

export default activityCase({
  types: 'OAUTH_LOGIN',
  subject: 'AUTH CREATE',
  rule: 'policies',
  parentActs: true,
  calls: [
    {
      parameters: ({ oidcToken, sessionPublicKey: publicKey }) => ({ oidcToken, publicKey }),
    },
  ],
});
