import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'SET_IP_ALLOWLIST',
  subject: 'CONFIG UPDATE',
  // No row is published for lists of addresses; they are configuration.
  rule: 'policies',
  calls: [
    { by: 'parent', parameters: () => ({ rules: [{ cidr: '127.0.0.0/24', label }] }) },
    {
      by: 'parent',
      parameters: ({ userPublicKey: publicKey }) => ({ publicKey, rules: [{ cidr: '::1' }] }),
    },
  ],
});
