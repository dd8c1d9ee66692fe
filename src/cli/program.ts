// Runs the program once: finds the command, parses its words, runs it, and reports failures.

import type { Client } from '../client/connect.ts';
import { nearestName } from '../core/base/edit_distance.ts';
import type { Command, Reach } from './command_line/command.ts';
import { commandHelp, helpDocument, overview } from './command_line/help.ts';
import { parseWords } from './command_line/parse.ts';
import { commandNames, findCommand, loadAll } from './commands.ts';
import {
  createOutput,
  guarded,
  jsonText,
  usesColor,
  visible,
  withoutResults,
} from './output/output.ts';
import type { Terminal } from './terminal/terminal.ts';
import { chosen } from './words/choices.ts';
import { type CommonValues, noCommonValues } from './words/common_values.ts';
import { durationMs } from './words/durations.ts';
import { exits, Failure, failureDocument, requireNode, usage } from './words/failures.ts';
import { styleText } from './words/node_util.ts';

/** Runs the words after `keywright`, and returns the exit code. */
export async function runProgram(words: readonly string[], given: Terminal): Promise<number> {
  const terminal = guarded(given);
  let common: CommonValues = { ...noCommonValues, json: words.includes('--json') };
  let reach: Reach = 'local';
  let typed: readonly string[] = [];
  let client: Client | undefined;
  try {
    const found = await findCommand(words);
    if (found === undefined) return await helpWithoutCommand(words, terminal);
    const { command, rest } = found;
    if (asksForHelp(rest)) {
      terminal.out(await commandHelp(command));
      return exits.done;
    }
    const parsed = parseWords(command, rest);
    const name = command.words.join(' ');
    requireNode(command.node, `keywright ${name}`, name);
    common = parsed.common;
    reach = command.reach;
    typed = command.words;
    await runCommand(command, parsed, terminal, (connected) => {
      client = connected;
    });
    return exits.done;
  } catch (error) {
    if (terminal.signal.aborted) return exits.interrupted;
    const failure = await asFailure(error, { reach, words: typed }, common, client).catch(
      (fault: unknown) =>
        // The explanation itself failed, because an answer of the service was malformed.
        asFailure(fault, { reach, words: typed }, common, undefined),
    );
    report(failure, common, terminal);
    return exits[failure.exit];
  }
}

const colorChoices = { always: true, never: true, auto: true };

async function runCommand(
  command: Command,
  { arguments: places, options, common }: ReturnType<typeof parseWords>,
  terminal: Terminal,
  onConnect: (client: Client) => void,
): Promise<void> {
  if (common.color !== undefined) chosen(colorChoices, common.color, '--color');
  // Validate the duration before any request is sent.
  if (common.wait !== undefined) durationMs(common.wait);
  const all = createOutput(terminal, common);
  // With `--curl`, a reading command prints its requests in place of the answer.
  const showsQueries = common.curl && command.reach === 'reads';
  const output = showsQueries ? withoutResults(all) : all;
  const service = async () => {
    const { connectService } = await import('./service/service.ts');
    const connected = await connectService(common, terminal, all, { showsQueries });
    onConnect(connected.client);
    return connected;
  };
  const run = () =>
    command.run({
      arguments: places,
      options,
      common,
      terminal,
      output,
      service,
      onConnect,
      loadAll,
    });
  // The command may prompt for the passphrase of a key and for a new one.
  const asksTwice = Object.hasOwn(command.options, 'new-passphrase-file');
  await (asksTwice && terminal.silently !== undefined ? terminal.silently(run) : run());
}

const asksForHelp = (rest: readonly string[]): boolean => {
  const end = rest.indexOf('--');
  const flags = end === -1 ? rest : rest.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
};

/** Prints help for groups such as `wallet`, and for `help`. Throws `usage` for other words. */
async function helpWithoutCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  // A word after a flag is probably its value.
  const first = words.findIndex((word) => !word.startsWith('-'));
  const end = words.findIndex((word, place) => place > first && word.startsWith('-'));
  const named = first === -1 ? [] : words.slice(first, end === -1 ? words.length : end);
  const prefix = named[0] === 'help' ? named.slice(1) : named;
  const isHelp = named[0] === 'help' || words.includes('--help') || words.includes('-h');
  if (isHelp && words.includes('--json')) {
    terminal.out(`${JSON.stringify(helpDocument(await loadAll()), undefined, 2)}\n`);
    return exits.done;
  }
  const group = commandNames.filter((name) => isBelow(name, prefix));
  if (group.length === 0) {
    const meant = nearCommand(prefix);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw usage(
      `unknown command ${visible(prefix.join(' '))}${hint}`,
      meant === undefined ? 'keywright help' : `keywright ${meant} --help`,
    );
  }
  const text = overview(await loadAll(), prefix);
  if (isHelp || words.length === 0) terminal.out(text);
  else terminal.err(text);
  return isHelp || words.length === 0 ? exits.done : exits.usage;
}

/** Returns the command or the group with the nearest words. */
function nearCommand(words: readonly string[]): string | undefined {
  for (const length of [3, 2, 1]) {
    if (words.length < length) continue;
    const known = commandNames.map((name) => name.split(' ').slice(0, length).join(' '));
    const meant = nearestName(words.slice(0, length).join(' '), new Set(known));
    if (meant !== undefined) return meant;
  }
  return undefined;
}

const isBelow = (name: string, words: readonly string[]): boolean =>
  words.every((word, place) => name.split(' ')[place] === word);

/** Converts any error to a failure: one with its own message, or an internal error. */
async function asFailure(
  error: unknown,
  { reach, words }: Pick<Command, 'reach' | 'words'>,
  { json, verbose }: CommonValues,
  client: Client | undefined,
): Promise<Failure> {
  if (error instanceof Failure) return error;
  const { failureOfAnswer, failureOfClient } = await import('./service/client_failures.ts');
  const { linesBelow } = await import('./output/explanations.ts');
  const below = client === undefined || json ? undefined : await linesBelow(error, client);
  const { nextStep } = await import('./service/next_steps.ts');
  const failure = failureOfClient(error, below, client?.url, nextStep(error, words));
  if (failure !== undefined) return failure;
  const { failureOfStart } = await import('./service/start_failures.ts');
  const known = failureOfStart(error);
  if (known !== undefined) return known;
  const answer = reach === 'local' ? undefined : failureOfAnswer(error, verbose);
  return answer ?? unexpected(error);
}

/** Returns the failure for an internal error. Its text may contain external data, so it is escaped. */
function unexpected(error: unknown): Failure {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return new Failure({
    exit: 'unexpected',
    message: `This is a bug in this program: ${message}`,
    next: 'Report it with the lines above, after checking them for confidential data.',
    details: stack.split('\n'),
  });
}

function report(failure: Failure, { json, color }: CommonValues, terminal: Terminal): void {
  if (json) {
    terminal.err(`${jsonText(failureDocument(failure))}\n`);
    return;
  }
  const isColored = usesColor(terminal, terminal.errIsTerminal, color);
  const red = (text: string) =>
    isColored ? styleText('red', text, { validateStream: false }) : text;
  terminal.err(`${red('keywright:')} ${bounded(failure.message)}\n`);
  for (const line of failure.details.slice(0, maximumDetails)) terminal.err(`${bounded(line)}\n`);
  if (failure.next !== undefined) terminal.err(`next: ${bounded(failure.next)}\n`);
  if (failure.requestId !== undefined) terminal.err(`request ${visible(failure.requestId)}\n`);
}

/** Limits the output for error answers of many megabytes. */
const maximumDetails = 1_000;
const maximumCharacters = 4_096;

function bounded(text: string): string {
  if (text.length <= maximumCharacters) return visible(text);
  return `${visible(text.slice(0, maximumCharacters))}… (${text.length} characters)`;
}
