// Help for the terminal, 80 columns wide, and as a JSON document. Both derive from the tables of the
// commands.

import type { Option } from '../words/options.ts';
import type { Argument, Command } from './command.ts';
import { commonOptions } from './common_options.ts';

const columns = 80;

/** Returns `keywright wallet create NAME [--account KIND …]`. */
export function usageLine(command: Command): string {
  const places = command.arguments.map(placeText);
  const options = Object.entries(command.options).map(
    ([name, option]) => `[${flagText(name, option)}]`,
  );
  return ['keywright', ...command.words, ...places, ...options].join(' ');
}

/** Returns the help of one command. */
export async function commandHelp(command: Command): Promise<string> {
  const own = Object.entries(command.options);
  const common = Object.entries(commonOptions(command));
  return [
    ...broken(command.summary, columns),
    '',
    ...wrapped(usageLine(command), 4),
    ...section(
      '',
      command.arguments.map((row) => [placeText(row), row.summary]),
    ),
    ...section(
      'Options',
      own.map(([name, option]) => [flagText(name, option), option.summary]),
    ),
    ...section(
      'Options of all commands like it',
      command.takesAllFlags
        ? []
        : common.map(([name, option]) => [flagText(name, option), option.summary]),
    ),
    ...section(
      'Examples',
      command.examples.map(({ type, does }) => [`keywright ${type}`, does]),
    ),
    ...(await command.moreHelp()),
    '',
  ].join('\n');
}

/** First words of commands, by the task of the reader. */
const groups: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['Wallets and signatures', ['wallet', 'sign', 'verify', 'key', 'secret', 'export', 'import']],
  ['People and rules', ['activity', 'policy', 'address', 'user', 'org']],
  ['This terminal', ['status', 'whoami', 'login', 'logout', 'profile', 'passphrase', 'doctor']],
  [
    'For developers',
    ['dev', 'api', 'webhook', 'inbox', 'stamp', 'mcp', 'eth-signer', 'ssh-agent', 'migrate'],
  ],
  [
    'For operators',
    [
      ...['serve', 'enclave', 'key-holder', 'keys', 'unseal', 'root-key', 'backup', 'restore'],
      ...['dashboard', 'archive', 'audit', 'evidence', 'witness'],
    ],
  ],
];
const otherGroup = 'Further commands';

/** Commands for the first minutes. */
const firstSteps: readonly (readonly [string, string])[] = [
  ['keywright dev', 'Starts a service to try, with a dashboard, people and wallets.'],
  ['keywright wallet list', 'Lists the wallets of the organization.'],
  ['keywright sign message hello --with NAME', 'Signs with the wallet of this name.'],
];

/**
 * Lists the commands that begin with the words `below`, one a line. Without words, it groups all commands by
 * their first words.
 */
export function overview(commands: readonly Command[], below: readonly string[]): string {
  const rows = commands
    .filter(({ words }) => below.every((word, place) => words[place] === word))
    .map((command): [string, string] => [command.words.join(' '), command.summary]);
  return [
    ...(below.length === 0
      ? [
          'Keywright: open, self-hosted wallet and key management.',
          ...section('First steps', firstSteps),
          ...grouped(commands),
        ]
      : section(`Commands of ${below.join(' ')}`, rows)),
    '',
    'keywright COMMAND --help shows details.',
    'keywright help --json prints all of it for programs.',
    '',
  ].join('\n');
}

function grouped(commands: readonly Command[]): readonly string[] {
  const byFirst = Map.groupBy(commands, ({ words }) => words[0] ?? '');
  const known = new Set(groups.flatMap(([, words]) => words));
  const others = [...byFirst.keys()].filter((word) => !known.has(word));
  return [...groups, [otherGroup, others] as const].flatMap(([title, words]) =>
    section(
      title,
      words.flatMap((word) => {
        const found = byFirst.get(word) ?? [];
        const [only] = found;
        if (only === undefined) return [];
        const isSingle = found.length === 1 && only.words.length === 1;
        return [[word, isSingle ? only.summary : furtherWords(found)] as const];
      }),
    ),
  );
}

/** Returns text like `list, show, account list`. A command without further words comes first. */
function furtherWords(commands: readonly Command[]): string {
  const further = commands.map(({ words }) => words.slice(1).join(' '));
  const named = further.filter((words) => words !== '').join(', ');
  const [alone] = commands.filter(({ words }) => words.length === 1);
  return alone === undefined ? named : `${alone.summary} Also: ${named}.`;
}

/** Returns all commands as `{"commands":[{"words","summary","options","examples"}]}`. */
export function helpDocument(commands: readonly Command[]): object {
  const described = (options: Readonly<Record<string, Option>>) =>
    Object.entries(options).map(([name, { kind, value, summary }]) => ({
      name: `--${name}`,
      ...(kind === 'switch' ? {} : { value: value ?? 'VALUE' }),
      repeatable: kind === 'texts',
      summary,
    }));
  return {
    commands: commands.map((command) => ({
      words: command.words,
      summary: command.summary,
      usage: usageLine(command),
      arguments: command.arguments.map(({ name, summary, count }) => ({
        name,
        summary,
        required: count === undefined,
        repeatable: count === 'many',
      })),
      options: described({
        ...command.options,
        ...(command.takesAllFlags ? {} : commonOptions(command)),
      }),
      examples: command.examples.map(({ type, does }) => ({ command: `keywright ${type}`, does })),
    })),
  };
}

function placeText({ name, count }: Argument): string {
  const word = name.toUpperCase();
  if (count === 'many') return `[${word} …]`;
  return count === 'optional' ? `[${word}]` : word;
}

function flagText(name: string, { kind, value = 'VALUE' }: Option): string {
  if (kind === 'switch') return `--${name}`;
  return name === 'wait'
    ? `--${name}[=${value}]`
    : `--${name} ${value}${kind === 'texts' ? ' …' : ''}`;
}

/**
 * Formats a titled list of two columns. If the first column is too long, the second starts on the next line.
 */
export function section(
  title: string,
  rows: readonly (readonly [string, string])[],
): readonly string[] {
  if (rows.length === 0) return [];
  const indent = 26;
  const lines = rows.flatMap(([left, right]) => {
    const [head = '', ...further] = continued(`  ${left}`);
    const text = broken(right, columns - indent).map((line) => `${' '.repeat(indent)}${line}`);
    if (head.length + 2 > indent) return [head, ...further, ...text];
    return [`${head.padEnd(indent)}${text[0]?.trimStart() ?? ''}`, ...text.slice(1)];
  });
  return ['', ...(title === '' ? [] : [`${title}:`]), ...lines];
}

/** Breaks a long shell command into lines with a backslash at each end. */
function continued(line: string): readonly string[] {
  if (line.length <= columns) return [line];
  const lines = broken(line, columns - 6);
  return lines.map((each, place) => {
    const start = place === 0 ? '' : '    ';
    return `${start}${each}${place === lines.length - 1 ? '' : ' \\'}`;
  });
}

const wrapped = (text: string, indent: number): readonly string[] =>
  broken(text, columns - indent).map((line, place) =>
    place === 0 ? line : `${' '.repeat(indent)}${line}`,
  );

/** Breaks a text into lines of at most `width` characters. Longer words get a line of their own. */
function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
