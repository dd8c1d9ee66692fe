// Parses the words of a command line by the tables of a command.

import { type CommonValues, noCommonValues } from '../words/common_values.ts';
import { usage } from '../words/failures.ts';
import { didYouMean } from '../words/names.ts';
import { parseArgs } from '../words/node_util.ts';
import type { Option } from '../words/options.ts';
import type { Command } from './command.ts';
import { commonOptions, usualWait } from './common_options.ts';

type ParsedWords = {
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
  readonly common: CommonValues;
};

/** Parses the words after a command's name. Throws `usage` with the wrong word and the nearest flag. */
export function parseWords(command: Command, words: readonly string[]): ParsedWords {
  if (command.takesAllFlags) {
    const [{ name } = { name: 'words' }] = command.arguments;
    return { arguments: { [name]: words }, options: {}, common: noCommonValues };
  }
  const options: Record<string, Option> = { ...commonOptions(command), ...command.options };
  const { tokens } = parseArgs({
    args: words.map((word) => (word === '--wait' ? `--wait=${usualWait}` : word)),
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind }]) => [
        name,
        { type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'texts' } as const,
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | string[] | boolean | undefined> = {};
  for (const [name, { kind }] of Object.entries(options)) {
    values[name] = kind === 'switch' ? false : kind === 'texts' ? [] : undefined;
  }
  const places: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') places.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) {
      const flags = Object.keys(options).map((name) => `--${name}`);
      throw usage(
        `unknown option ${token.rawName}${didYouMean(token.rawName, flags)}`,
        helpOf(command),
      );
    } else {
      setValue(values, token.name, option, token.value, command);
    }
  }
  return {
    arguments: readPlaces(command, places),
    options: Object.fromEntries(Object.keys(command.options).map((name) => [name, values[name]])),
    common: { ...noCommonValues, ...values },
  };
}

function setValue(
  values: Record<string, string | string[] | boolean | undefined>,
  name: string,
  { kind, value: word = 'VALUE' }: Option,
  value: string | undefined,
  command: Command,
): void {
  if (kind === 'switch') {
    if (value !== undefined) throw usage(`--${name} takes no value`, helpOf(command));
    values[name] = true;
    return;
  }
  if (value === undefined)
    throw usage(`--${name} needs a value: --${name} ${word}`, helpOf(command));
  const present = values[name];
  if (Array.isArray(present)) {
    present.push(value);
  } else if (present !== undefined) {
    throw usage(`--${name} was given twice`, helpOf(command));
  } else {
    values[name] = value;
  }
}

function readPlaces(command: Command, given: readonly string[]): ParsedWords['arguments'] {
  const values: Record<string, string | readonly string[] | undefined> = {};
  const rest = [...given];
  for (const { name, count } of command.arguments) {
    if (count === 'many') values[name] = rest.splice(0);
    else values[name] = rest.shift();
    const isMissing = count === undefined && values[name] === undefined;
    if (isMissing) {
      throw usage(`${command.words.join(' ')} needs ${name.toUpperCase()}`, helpOf(command));
    }
  }
  const [extra] = rest;
  if (extra !== undefined) {
    throw usage(`${command.words.join(' ')} does not take "${extra}"`, helpOf(command));
  }
  return values;
}

const helpOf = ({ words }: Command): string => `keywright ${words.join(' ')} --help`;
