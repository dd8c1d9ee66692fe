// docs/cli.md, from the commands themselves.

import type { Command } from '../src/cli/command_line/command.ts';
import { commonOptions } from '../src/cli/command_line/common_options.ts';
import { usageLine } from '../src/cli/command_line/help.ts';
import { loadAll } from '../src/cli/commands.ts';
import { exits } from '../src/cli/words/failures.ts';
import { mistakes } from './cli_mistakes.ts';

/** The meaning of each exit code. */
export const meanings: Readonly<Record<keyof typeof exits, string>> = {
  done: 'done',
  unexpected: 'unexpected, or cases that failed',
  usage: 'typed wrongly, or nothing to sign with',
  waits: 'waits for votes or credentials',
  refused: 'refused',
  not_found: 'not found',
  invalid: 'an invalid request',
  conflict: 'in conflict with what is there',
  unreachable: 'the service cannot be reached, or is not ready',
  not_verified: 'what came cannot be trusted; nothing was sent or written',
  not_confirmed: 'not confirmed',
  interrupted: 'interrupted',
};

/** The page of the command line, in Markdown. */
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
    'One sentence says what is wrong, and `next:` below it what to do. Nothing is written or done then. Words in capitals stand for other text.',
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

/** Code of Markdown, whose text may hold single backticks. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), `|${heading.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const introduction = `# The command line

\`keywright\` talks to a service over its API, as any client does: it has no powers of its own.

## How to start it

| from | command | processor time of a start |
|---|---|---|
| an installed [release](deployment.md) | \`npm install -g ./keywright-0.1.0.tgz\` once, then \`keywright\` | 0.05 s |
| a clone | \`alias keywright="$PWD/node_modules/.bin/node $PWD/src/main.ts"\` once, then \`keywright\` | 0.2 s |
| a folder with the package | \`npx --no keywright\` | 0.4 s: npm reads the folder before it starts anything |
| a clone | \`npx --no keywright\` | 1.2 s: npm reads a folder of 700 packages |
| an archive | \`npx\` with the path of the archive | 8 s: npm unpacks all 31 MB each time |

## What all commands share

- **Where to, and with what**: flags are stronger than the variables \`KEYWRIGHT_URL\`, \`KEYWRIGHT_ORGANIZATION_ID\`,
  \`KEYWRIGHT_CREDENTIALS_FILE\` and \`KEYWRIGHT_PROFILE\`, those stronger than the profile. Without any of them
  \`./data/root-credentials.json\` is used for a service on this machine, so that the first command works at once.
- **Profiles** are kept in \`$XDG_CONFIG_HOME/keywright\` (\`~/.config/keywright\`): \`config.json\`, and keys in \`keys/\`,
  readable by their owner alone; other modes are refused. \`login\` makes a key on this machine and has it registered
  with an expiry. Where a profile in \`config.json\` has \`"keyCommand": ["program", "word"]\`, that program prints
  the key file instead: any keyring or secret manager can hold it.
- **A passphrase** seals a key file: \`login --passphrase\`, \`user create --passphrase\` and \`user key add --passphrase\`
  make such files, \`keywright passphrase\` seals a file, gives it another passphrase or removes it. The file keeps
  \`sealedPrivateKey\` in place of \`apiPrivateKey\`: five lines as those of a sealed root key, with Argon2id (64 MiB, 3
  passes, 4 lanes) and AES-256-GCM, bound to the public key. Commands ask for the passphrase without echo. Else it comes
  from \`--key-passphrase-file\` or \`KEYWRIGHT_KEY_PASSPHRASE_FILE\`, which name a file of one line for its owner alone,
  or a descriptor: \`--key-passphrase-file <(pass show keywright)\`. No flag and no variable holds it, since others can
  read those. A wrong one ends with 2 before anything is sent, \`wrong_passphrase\` under \`--json\`; three may be typed.
  Address and organization stay readable and are not bound. Libraries and the dashboard read files without passphrase.
- **\`login\` has three ways.** \`--with FILE\`: the key in the file registers the one that is made here. \`--email\`: a
  code is mailed, and the key starts a session by it. Without either, somebody who is signed in lets the key in: by
  the link that is printed, or by the command below it. The link is
  \`URL/dashboard/#/pair?publicKey=HEX&name=TEXT&expirationSeconds=N\`, with the compressed P-256 point in hex. The
  page computes four words of the SHA-256 of the point, and the terminal shows the same words: a link with other
  words is somebody else's. A login that is interrupted, whose answer is lost,
  or whose key waits for votes goes on with that key when it is typed again. Until then the key is in
  \`keys/PROFILE.json.new\` and no profile uses it; a login of that name to another place or for another user is refused.
- **Results** are printed on the standard output, everything else on the standard error: a table for people,
  \`--json\` for the document of the API, \`--quiet\` for ids alone. Pipes get no colours and nothing is cut off.
- **What waits is not done**: a command that waits for approval ends with 3. It names the users who may still approve,
  the time until which the votes so far count, and the command that an approver types; \`--wait\` follows it. A command
  with \`--dry-run\` that would wait names the users who could approve.
- **A refusal** ends with 4 and shows each policy with the value of its clauses. A clause that failed stands there with
  a caret below the place, unless the policy was edited since. \`--dry-run\` and \`login\` show the same. Where the
  service does not explain within five seconds, the command shows what came with its end.
- **Things** have a name or an id. A name that several have is refused with the ids to choose from.`;
