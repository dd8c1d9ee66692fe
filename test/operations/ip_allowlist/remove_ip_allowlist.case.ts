import { activityCase } from '../case.ts';

export default activityCase({
  types: 'REMOVE_IP_ALLOWLIST',
  subject: 'CONFIG UPDATE',
  // No row is published for lists of addresses; they are configuration.
  rule: 'policies',
  calls: [{ by: 'parent', parameters: ({ userPublicKey: publicKey }) => ({ publicKey }) }],
});
