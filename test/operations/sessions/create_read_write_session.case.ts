import { testKey } from '../../support/harness.ts';
import { activityCase } from '../case.ts';

export default activityCase({
  types: 'CREATE_READ_WRITE_SESSION_V2 CREATE_READ_WRITE_SESSION',
  subject: 'AUTH CREATE',
  // A credential for another user is that user's whole authority.
  rule: 'quorum or oneself',
  findsChild: true,
  calls: [true, false].map((isNamed) => ({
    parameters: ({ userId }) => ({
      targetPublicKey: testKey('target').publicKey,
      ...(isNamed ? { userId } : {}),
    }),
  })),
});
