// Settings of the audit trail.

import { optionalSecret, optionalText } from './kinds.ts';

export const auditSettings = {
  auditFile: optionalText({
    variable: 'KEYWRIGHT_AUDIT_FILE',
    absent: 'no audit trail in a file',
    sentence:
      'File that every decided activity is appended to, one JSON line each; see docs/audit.md.',
  }),
  auditUrl: optionalSecret({
    variable: 'KEYWRIGHT_AUDIT_URL',
    expected: '`https://host/path` or `http://host/path`',
    absent: 'no audit trail at a URL',
    sentence:
      'Address that every decided activity is sent to by POST, one JSON line each; see docs/audit.md.',
  }),
  auditToken: optionalSecret({
    variable: 'KEYWRIGHT_AUDIT_TOKEN',
    expected: 'a text',
    absent: 'none is sent',
    sentence: 'Bearer token for that address.',
  }),
} as const;
