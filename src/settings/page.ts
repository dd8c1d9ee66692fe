// The table of settings, as a page and for a terminal.

import { clientVariables } from './client.ts';
import type { Setting } from './kinds.ts';
import { flagOf, settingsTable } from './settings.ts';

/** Returns the page that describes all settings, in Markdown. */
export function settingsDocument(): string {
  const rows = Object.values<Setting<unknown>>(settingsTable).map(
    (row) =>
      `| \`${row.variable}\` | \`${flagOf(row.variable)}\` | ${row.expected} | ${row.absent} | ${row.sentence} |`,
  );
  return [
    '# Configuration',
    '',
    'Every setting is an environment variable and a flag of `keywright serve` (`npm start -- --port 9000`);',
    'the flag is the stronger.',
    'Names that are not listed here are refused.',
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

/** Returns the flags with their descriptions, for a terminal. */
export function settingsHelp(): readonly (readonly [flag: string, sentence: string])[] {
  return Object.values<Setting<unknown>>(settingsTable).map((row) => [
    flagOf(row.variable),
    `${row.sentence} (${row.absent})`.replaceAll('`', ''),
  ]);
}
