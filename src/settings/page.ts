// Formats the table of settings for a terminal.

import type { Setting } from './kinds.ts';
import { flagOf, settingsTable } from './settings.ts';

/** Returns the flags with their descriptions, for a terminal. */
export function settingsHelp(): readonly (readonly [flag: string, sentence: string])[] {
  return Object.values<Setting<unknown>>(settingsTable).map((row) => [
    flagOf(row.variable),
    `${row.sentence} (${row.absent})`.replaceAll('`', ''),
  ]);
}
