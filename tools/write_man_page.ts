// Writes packaging/keywright.1, the manual page, from the commands.

import { usageLine } from '../src/cli/command_line/help.ts';
import { loadAll } from '../src/cli/commands.ts';
import { exits } from '../src/cli/words/failures.ts';
import { meanings } from './write_cli_page.ts';

/** Returns the manual page of all commands, in the macros of man(7). */
export async function manPage(): Promise<string> {
  const commands = await loadAll();
  return [
    '.\\" Written by npm run docs from the commands.',
    '.TH KEYWRIGHT 1 "" "Keywright" "User Commands"',
    '.SH NAME',
    'keywright \\- wallet and key management, self\\-hosted',
    '.SH SYNOPSIS',
    '.B keywright',
    '.I COMMAND',
    '[\\fIOPTION\\fR ...]',
    '.SH DESCRIPTION',
    'Starts the service, and talks to one over its API. Results are printed on the standard output,',
    'everything else on the standard error. What waits for approval is not done: the command ends with 3.',
    '.SH COMMANDS',
    ...commands.flatMap((command) => [
      '.SS',
      escaped(command.words.join(' ')),
      escaped(command.summary),
      '.PP',
      `.B ${escaped(usageLine(command))}`,
      ...Object.entries(command.options).flatMap(([name, { value, summary }]) => [
        '.TP',
        `.B ${escaped(`--${name}${value === undefined ? '' : ` ${value}`}`)}`,
        escaped(summary),
      ]),
      ...command.examples.flatMap(({ type, does }) => [
        '.PP',
        escaped(does),
        '.br',
        `.B ${escaped(`keywright ${type}`)}`,
      ]),
    ]),
    '.SH EXIT STATUS',
    ...Object.entries(exits).flatMap(([name, code]) => [
      '.TP',
      `.B ${code}`,
      escaped(meanings[name as keyof typeof exits]),
    ]),
    '.SH FILES',
    '.TP',
    '.I $XDG_CONFIG_HOME/keywright/config.json',
    'Profiles, as login keeps them. Keys are beside it, in keys/, for their owner alone.',
    '.TP',
    '.I ./data/root\\-credentials.json',
    'Used without a profile, for a service on this machine.',
    '',
  ].join('\n');
}

/** Escapes a text for roff: no escape sequences, no request at its start, hyphens that can be copied. */
function escaped(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('"', '\\(dq');
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
