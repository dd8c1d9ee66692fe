// Writes the page of settings from the table of settings.

import { clientVariables } from '../src/settings/client.ts';
import type { Setting } from '../src/settings/kinds.ts';
import { flagOf, settingsTable } from '../src/settings/settings.ts';

/** Returns the page that describes all settings, in Markdown. */
export function settingsDocument(): string {
  const rows = Object.values<Setting<unknown>>(settingsTable).map(
    (row) =>
      `| \`${row.variable}\` | \`${flagOf(row.variable)}\` | ${row.expected} | ${row.absent} | ${row.sentence} |`,
  );
  return [
    '# Configuration',
    '',
    'Every setting is an environment variable and a flag of `keywright serve` (`npm start -- --port 9000`).',
    'A flag overrides the variable. Variables `KEYWRIGHT_…` and flags that are not listed here are refused.',
    '',
    '| variable | flag | value | default | meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Variables of the other commands',
    '',
    'Commands that call a service read these. `keywright serve` accepts and ignores them.',
    '',
    '| variable | value | meaning |',
    '|---|---|---|',
    ...clientVariables.map(
      ({ variable, expected, sentence }) => `| \`${variable}\` | ${expected} | ${sentence} |`,
    ),
    '',
  ].join('\n');
}
