// The definition of a command. Its members come in the order summary, options, examples, run. The table of
// commands gives it its words. Help, completion, `help --json`, docs/cli.md and the test of the examples
// derive from it.

import type { Client } from '../../client/connect.ts';
import type { Output } from '../output/output.ts';
import type { Service } from '../service/service.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import type { Option } from '../words/options.ts';

/** A positional argument. */
export type Argument = {
  readonly name: string;
  readonly summary: string;
  /** Only the last argument may have a count. `many`: any number of values. Default: exactly one value. */
  readonly count?: 'optional' | 'many';
};

type Options = Readonly<Record<string, Option>>;
type Arguments = readonly Argument[];

type ValueOfOption = {
  readonly text: string | undefined;
  readonly texts: readonly string[];
  readonly switch: boolean;
};
type ValueOfArgument<A extends Argument> = A['count'] extends 'many'
  ? readonly string[]
  : A['count'] extends 'optional'
    ? string | undefined
    : string;

/** The input of a command's `run`. Option names equal the flags. */
export type Invocation<A extends Arguments = Arguments, O extends Options = Options> = {
  readonly arguments: { readonly [Row in A[number] as Row['name']]: ValueOfArgument<Row> };
  readonly options: { readonly [Name in keyof O]: ValueOfOption[O[Name]['kind']] };
  /** Values of the common options. Options that the command's reach lacks are absent or false. */
  readonly common: CommonValues;
  readonly terminal: Terminal;
  readonly output: Output;
  /**
   * Connects with the profile and the flags of this call. Throws an error if a required setting is missing.
   */
  readonly service: () => Promise<Service>;
  /** Receives the client of a command that connects by itself. The program needs it to explain failures. */
  readonly onConnect: (client: Client) => void;
  readonly loadAll: () => Promise<readonly Command[]>;
};

/** The invocation before the tables of a command give each name a type. */
type AnyInvocation = Omit<Invocation, 'arguments' | 'options'> & {
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
};

/**
 * The reach of a command: `local` uses no stored login, `reads` queries the service,
 * `submits` changes data or signs, `votes` decides on waiting activities, and `destroys` cannot be undone.
 * common_options.ts lists the flags of each reach.
 */
export type Reach = 'local' | 'reads' | 'submits' | 'votes' | 'destroys';

type Example = { readonly type: string; readonly does: string };

export type Command = {
  readonly words: readonly string[];
  readonly summary: string;
  readonly reach: Reach;
  readonly arguments: Arguments;
  readonly options: Options;
  readonly examples: readonly Example[];
  /** True if the command parses its own words, including unknown flags. */
  readonly takesAllFlags: boolean;
  /** Minimum major version of Node. */
  readonly node: number;
  /** Further lines of help, computed on demand. */
  readonly moreHelp: () => Promise<readonly string[]>;
  run(invocation: AnyInvocation): Promise<void>;
};

/** A command before the table of commands gives it its words. */
export type UnnamedCommand = Omit<Command, 'words'>;

type CommandOf<A extends Arguments, O extends Options> = {
  readonly summary: string;
  readonly reach: Reach;
  readonly arguments?: A;
  readonly options?: O;
  /** Commands as typed, without `keywright`, each with its purpose as a sentence. */
  readonly examples: Readonly<Record<string, string>>;
  readonly takesAllFlags?: boolean;
  readonly node?: number;
  readonly moreHelp?: () => Promise<readonly string[]>;
  run(invocation: Invocation<A, O>): Promise<void>;
};

/** Defines a command. The type of the argument of `run` follows from the tables of arguments and options. */
export function command<
  const A extends Arguments = [],
  const O extends Options = Record<never, never>,
>(definition: CommandOf<A, O>): UnnamedCommand {
  const { arguments: places, options, examples, run, ...rest } = definition;
  return {
    takesAllFlags: false,
    node: 22,
    moreHelp: async () => [],
    ...rest,
    arguments: places ?? [],
    options: options ?? {},
    examples: Object.entries(examples).map(([type, does]) => ({ type, does })),
    // The parser returns the type that each row declares.
    run: (invocation) => run(invocation as unknown as Invocation<A, O>),
  };
}
