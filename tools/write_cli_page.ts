// Writes docs/cli.md from the commands.

import type { Command } from '../src/cli/command_line/command.ts';
import { commonOptions } from '../src/cli/command_line/common_options.ts';
import { usageLine } from '../src/cli/command_line/help.ts';
import { loadAll } from '../src/cli/commands.ts';
import { exits } from '../src/cli/words/failures.ts';
import { mistakes } from './cli_mistakes.ts';

/** The meaning of each exit code. */
export const meanings: Readonly<Record<keyof typeof exits, string>> = {
  done: 'done',
  unexpected: 'an unexpected error, or failed cases',
  usage: 'wrong usage, or no key to sign with',
  waits: 'waits for votes or credentials',
  refused: 'refused',
  not_found: 'not found',
  invalid: 'an invalid request',
  conflict: 'a conflict with an existing resource',
  unreachable: 'the service cannot be reached, or is not ready',
  not_verified: 'failed verification; nothing was sent or written',
  not_confirmed: 'not confirmed',
  interrupted: 'interrupted',
};

/** Returns the page of the command line in Markdown. */
export async function cliPage(): Promise<string> {
  const commands = await loadAll();
  return [
    introduction,
    '## Exit codes',
    table(
      ['code', 'meaning'],
      Object.entries(exits).map(([name, code]) => [
        String(code),
        meanings[name as keyof typeof exits],
      ]),
    ),
    '## When something is wrong',
    'An error is one sentence, with the next step after `next:`. The command has then changed nothing. Words in capitals are placeholders.',
    table(
      ['mistake', 'code', 'sentence', 'next'],
      Object.values(mistakes).map(({ mistake, exit, says, next }) => [
        mistake,
        String(exit),
        code(says),
        code(next),
      ]),
    ),
    '## Options of many commands',
    'A command that reads from the service has the first list. A command that changes or signs has the second too. A command that cannot be undone has all three.',
    ...(['reads', 'submits', 'destroys'] as const).map((reach, place, all) => {
      const before =
        place === 0 ? {} : commonOptions({ reach: all[place - 1] ?? 'reads', words: [] });
      return table(
        ['option', 'meaning'],
        Object.entries(commonOptions({ reach, words: [] }))
          .filter(([name]) => !Object.hasOwn(before, name))
          .map(([name, { value, summary }]) => [
            `\`--${name}${value === undefined ? '' : ` ${value}`}\``,
            summary,
          ]),
      );
    }),
    '## Commands',
    ...commands.map(section),
    '',
  ].join('\n\n');
}

function section(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, summary }]) => [
    `\`--${name}${value === undefined ? '' : ` ${value}`}\``,
    summary,
  ]);
  const places = command.arguments.map(({ name, summary }) => [
    `\`${name.toUpperCase()}\``,
    summary,
  ]);
  const rows = [...places, ...options];
  return [
    `### ${command.words.join(' ')}`,
    command.summary,
    `\`${usageLine(command)}\``,
    ...(rows.length === 0 ? [] : [table(['word', 'meaning'], rows)]),
    command.examples.map(({ type, does }) => `- \`keywright ${type}\`: ${does}`).join('\n'),
  ].join('\n\n');
}

/** Returns inline code in Markdown; the text may contain single backticks. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), `|${heading.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const introduction = `# The command line

\`keywright\` is a client of the API of a service. It has no powers beyond those of its key.

## How to start it

| from | command | processor time of a start |
|---|---|---|
| an installed [release](deployment.md) | \`npm install -g ./keywright-0.1.0.tgz\` once, then \`keywright\` | 0.05 s |
| a clone | \`alias keywright="$PWD/node_modules/.bin/node $PWD/src/main.ts"\` once, then \`keywright\` | 0.2 s |
| a folder with the package | \`npx --no keywright\` | 0.4 s: npm reads the folder before it starts anything |
| a clone | \`npx --no keywright\` | 1.2 s: npm reads a folder of 700 packages |
| an archive | \`npx\` with the path of the archive | 8 s: npm unpacks all 31 MB each time |

## What all commands share

- **Address and key**: flags override the variables \`KEYWRIGHT_URL\`, \`KEYWRIGHT_ORGANIZATION_ID\`,
  \`KEYWRIGHT_CREDENTIALS_FILE\` and \`KEYWRIGHT_PROFILE\`, and the variables override the profile. Without any of them,
  commands use \`./data/root-credentials.json\` for a service on the same machine, so the first command needs no setup.
- **Profiles** are stored in \`$XDG_CONFIG_HOME/keywright\` (\`~/.config/keywright\`): \`config.json\`, and keys in \`keys/\`,
  which only their owner may read; other modes are rejected. \`login\` creates a key on this machine and registers it
  with an expiry. If a profile in \`config.json\` has \`"keyCommand": ["program", "word"]\`, that program prints
  the key file instead, so any keyring or secret manager can store it.
- **A passphrase** can seal a key file. \`login --passphrase\`, \`user create --passphrase\` and
  \`user key add --passphrase\` create sealed files; \`keywright passphrase\` seals a file, changes its passphrase or removes
  it. A sealed file has \`sealedPrivateKey\` in place of \`apiPrivateKey\`: five lines like those of a sealed root key,
  with Argon2id (64 MiB, 3 passes, 4 lanes) and AES-256-GCM, bound to the public key. Commands prompt for the passphrase
  without echo, or read it from \`--key-passphrase-file\` or \`KEYWRIGHT_KEY_PASSPHRASE_FILE\`. Both name a file of one line
  that only its owner may read, or a descriptor: \`--key-passphrase-file <(pass show keywright)\`. No flag or variable
  contains the passphrase itself, since other users can read those. With a wrong passphrase, a command ends with 2
  before it sends a request (\`wrong_passphrase\` under \`--json\`); a prompt permits three attempts. Address and
  organization stay readable and are not bound. Libraries and the dashboard read files without a passphrase.
- **\`login\` registers its new key in one of three ways.** With \`--with FILE\`, the key in the file registers it. With
  \`--email\`, the service mails a code, and the key starts a session. Otherwise a user who is signed in pairs it, by the
  printed link or by the command below it. The link is
  \`URL/dashboard/#/pair?publicKey=HEX&name=TEXT&expirationSeconds=N\`, with the compressed P-256 point in hex. The
  page and the terminal show the same four words, computed from the SHA-256 of the point: never accept a link with
  other words. If a login is interrupted, loses its answer, or waits for votes, run it again: it continues with the
  same key. Until then the key is in \`keys/PROFILE.json.new\`, no profile uses it, and a login of that name to another
  address or for another user is refused.
- **Results** are printed on the standard output, all other text on the standard error: a table for people,
  \`--json\` for the document of the API, \`--quiet\` for ids only. Pipes get no colours and no truncated text.
- **Waiting activities**: a command whose activity waits for approval ends with 3. It prints the users who may still
  approve, the time until which the votes count, and the command for an approver; \`--wait\` waits for the decision.
  With \`--dry-run\`, a command whose activity would wait prints the users who could approve.
- **A refusal** ends with 4 and shows each policy with the value of its clauses. A failed clause is printed with
  a caret below the position, unless the policy was edited since. \`--dry-run\` and \`login\` show the same. If the
  service does not explain the refusal within five seconds, the command shows only the refusal.
- **Resources** have a name or an id. If several have the same name, the command ends and prints their ids.`;
