// Settings of the audit trail.

import { choice, optionalSecret, optionalText } from './kinds.ts';

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
  auditSyslog: optionalText({
    variable: 'KEYWRIGHT_AUDIT_SYSLOG',
    absent: 'no audit trail by syslog',
    sentence:
      'Receiver of every decided activity by syslog (RFC 5424): `tls://host:6514` or `tcp://host:601`.',
  }),
  auditSyslogFormat: choice({
    variable: 'KEYWRIGHT_AUDIT_SYSLOG_FORMAT',
    choices: ['json', 'cef'],
    fallback: 'json',
    sentence: 'Format of syslog messages: the JSON line of the audit trail, or CEF.',
  }),
  auditSyslogCa: optionalText({
    variable: 'KEYWRIGHT_AUDIT_SYSLOG_CA',
    absent: 'the certificate authorities of Node',
    sentence: 'File with the CA certificates (PEM) for the receiver of syslog.',
  }),
} as const;
