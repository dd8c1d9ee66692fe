import { type Command, command } from '../command_line/command.ts';
import { commonOptions } from '../command_line/common_options.ts';
import { exampleOf, readParameters } from '../command_line/parameters.ts';
import { jsonText } from '../output/output.ts';
import { usage } from '../words/failures.ts';
import { didYouMean } from '../words/names.ts';
import {
  type JsonSchema,
  type Operation,
  operationNames,
  voteCommands,
} from '../words/operations.ts';
import { flag, type Option, option, repeatable } from '../words/options.ts';

/** `api` without an operation name: lists the operations. */
export default command({
  summary: 'Calls any operation of the API: keywright api OPERATION --help.',
  reach: 'reads',
  arguments: [
    { name: 'operation', summary: 'Its name, as in docs/operations.md.', count: 'optional' },
  ],
  examples: {
    api: 'Lists all operations.',
    'api list_users --json': 'Prints the users as one document.',
    'api create_user_tag --help': 'Prints the parameters of an operation.',
    'api create_user_tag --user-tag-name ops': 'Creates a tag.',
  },
  run: async ({ arguments: { operation }, output }) => {
    const names = await operationNames();
    if (operation !== undefined) {
      throw usage(`unknown operation ${operation}${didYouMean(operation, names)}`, 'keywright api');
    }
    output.list(
      names.map((name) => ({ Operation: name })),
      { document: { operations: names }, ids: names },
    );
  },
});

/** Returns the command that calls one operation, with a flag for each flat member of its parameters. */
export function apiCommand({ name, kind, summary, parameters }: Operation): Command {
  const reach = kind === 'query' ? 'reads' : 'submits';
  const words = ['api', name];
  const flags = flagsOf(parameters, Object.keys(commonOptions({ reach, words })));
  const unnamed = command({
    summary,
    reach,
    options: { ...flags.options, ...everyBody },
    examples: { [`api ${name} --example`]: 'Prints parameters to start from.' },
    run: async ({ options, output, service, terminal }) => {
      if (options.example === true) {
        output.raw(`${JSON.stringify(exampleOf(parameters), undefined, 2)}\n`);
        return;
      }
      const vote = voteCommands[name];
      if (vote !== undefined) {
        throw usage('a vote needs the signed request of its activity', `${vote} ACTIVITY`);
      }
      const given = await readParameters(parameters, flags.members, options, terminal);
      const connected = await service();
      const answer = await connected.call(kind, name, given);
      if (answer !== undefined) output.raw(`${jsonText(answer, 2)}\n`);
    },
  });
  return { ...unnamed, words };
}

const everyBody: Readonly<Record<string, Option>> = {
  param: repeatable(
    'NAME=VALUE',
    'One member by its path, such as accounts.0.curve=CURVE_ED25519.',
  ),
  params: option('FILE|-', 'Parameters as JSON, from a file or the standard input.'),
  example: flag('Prints parameters to start from, and sends nothing.'),
};

type Flags = {
  readonly options: Readonly<Record<string, Option>>;
  /** The member that each flag sets. */
  readonly members: Readonly<Record<string, string>>;
};

/**
 * Returns a flag for each member that is a text, number, boolean or list of texts. Skips names of common
 * options.
 */
function flagsOf({ properties = {}, required = [] }: JsonSchema, taken: readonly string[]): Flags {
  const options: Record<string, Option> = {};
  const members: Record<string, string> = {};
  for (const [member, schema] of Object.entries(properties)) {
    const flag = member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const kind = kindOf(schema);
    if (kind === undefined || taken.includes(flag) || flag in everyBody) continue;
    const need = required.includes(member) ? 'Required. ' : '';
    const choices = schema.enum === undefined ? '' : ` One of ${schema.enum.join(', ')}.`;
    options[flag] = {
      kind,
      value: 'VALUE',
      summary: `${need}${schema.description ?? ''}${choices}`,
    };
    members[flag] = member;
  }
  return { options, members };
}

function kindOf({ type, items }: JsonSchema): Option['kind'] | undefined {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (types.includes('boolean')) return 'text';
  if (types.includes('string') || types.includes('integer') || types.includes('number'))
    return 'text';
  if (types.includes('array') && items?.type === 'string') return 'texts';
  return undefined;
}
