// Settings of the log on standard output.

import { choice } from './kinds.ts';

export const logSettings = {
  logLevel: choice({
    variable: 'KEYWRIGHT_LOG_LEVEL',
    fallback: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    sentence: 'Minimum log level.',
  }),
  logFormat: choice({
    variable: 'KEYWRIGHT_LOG_FORMAT',
    fallback: 'auto',
    choices: ['auto', 'json', 'text'],
    sentence:
      'Form of the log lines; `auto` writes text for people to a terminal and JSON to everything else.',
  }),
} as const;
