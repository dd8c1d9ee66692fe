// Help, in 80 columns and as one document, from the tables of the commands.

import type { Argument, Command, Option } from './command.ts';
import { commonOptions } from './common_options.ts';

const columns = 80;

/** `keywright wallet create NAME [--account KIND …]`. */
export function usageLine(command: Command): string {
  const places = command.arguments.map(placeText);
  const options = Object.entries(command.options).map(
    ([name, option]) => `[${flagText(name, option)}]`,
  );
  return ['keywright', ...command.words, ...places, ...options].join(' ');
}

/** The help of one command. */
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

/** The list of commands, one a line; `below` narrows it to those that begin with these words. */
export function overview(commands: readonly Command[], below: readonly string[]): string {
  const rows = commands
    .filter(({ words }) => below.every((word, place) => words[place] === word))
    .map((command): [string, string] => [command.words.join(' '), command.summary]);
  const title = 'Keywright: open, self-hosted wallet and key management.';
  return [
    ...(below.length === 0 ? [title] : []),
    ...section(below.length === 0 ? 'Commands' : `Commands of ${below.join(' ')}`, rows),
    '',
    'keywright COMMAND --help says more; keywright help --json says all, for programs.',
    '',
  ].join('\n');
}

/** Everything as one document: `{"commands":[{"words","summary","options","examples"}]}`. */
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

/** A titled list of two columns; the second goes below the first where that is long. */
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

/** A line that a shell reads as one, on several lines where it is wide. */
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

/** Lines of words, each at most so wide unless one word is wider. */
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
