// Offers the operations of the service as tools. For operations that change data or sign, the first call is a
// dry run that returns a word. The same call with this word runs the operation.

import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../core/schema/json.ts';
import { visible } from '../output/output.ts';
import { failureOf } from '../service/client_failures.ts';
import { randomName } from '../service/new_key.ts';
import { usage } from '../words/failures.ts';
import { type JsonSchema, type Operation, voteCommands } from '../words/operations.ts';
import type { AgentClient } from './agent_client.ts';
import type { Tool, ToolResult, Tools } from './protocol.ts';

/** The parameter for the word of the dry run. */
export const confirmMember = 'confirm';

/** Lifetime of a word, and maximum number of open dry runs. */
const wordLifeMs = 600_000;
const maximumWaiting = 64;

/** Maximum length of a result, because a model reads all of it. */
const maximumResultCharacters = 262_144;

type Waiting = {
  readonly name: string;
  readonly parameters: JsonObject;
  readonly expiresAtMs: number;
};

/**
 * Returns the operations that match one of the patterns, in which `*` matches any text. Default: all
 * operations. Includes only queries unless `mayChange` is true.
 */
export function offeredOperations(
  operations: readonly Operation[],
  { patterns, mayChange }: { readonly patterns: readonly string[]; readonly mayChange: boolean },
): readonly Operation[] {
  const matches = patterns.map(
    (pattern) => new RegExp(`^${pattern.replace(/[^a-z0-9_*]/g, '\\$&').replaceAll('*', '.*')}$`),
  );
  return operations.filter(
    ({ name, kind }) =>
      (mayChange || kind === 'query') &&
      // Only people may vote.
      !Object.hasOwn(voteCommands, name) &&
      (matches.length === 0 || matches.some((match) => match.test(name))),
  );
}

/** Returns tools that call operations through a client. `clock` returns milliseconds since 1970. */
export function toolsOf(
  operations: readonly Operation[],
  client: () => Promise<AgentClient>,
  clock: () => number,
): Tools {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const waiting = new Map<string, Waiting>();

  /** Consumes a word. Returns true if it belongs to a dry run of the same call. */
  const isConfirmed = (word: unknown, name: string, parameters: JsonObject): boolean => {
    const found = typeof word === 'string' ? waiting.get(word) : undefined;
    if (typeof word !== 'string' || found === undefined) return false;
    waiting.delete(word);
    return (
      found.name === name &&
      found.expiresAtMs > clock() &&
      isDeepStrictEqual(found.parameters, parameters)
    );
  };

  const newWord = (name: string, parameters: JsonObject): string => {
    const [oldest] = waiting.keys();
    if (waiting.size >= maximumWaiting && oldest !== undefined) waiting.delete(oldest);
    const word = randomName();
    waiting.set(word, { name, parameters, expiresAtMs: clock() + wordLifeMs });
    return word;
  };

  const change = async (name: string, given: JsonObject): Promise<JsonObject> => {
    const { [confirmMember]: word, ...parameters } = given;
    const { preview, submit } = await client();
    if (word === undefined) {
      const expected = await preview(name, parameters);
      const next =
        expected['outcome'] === 'refused'
          ? 'Nothing was done. Correct the call, or ask a person for the right.'
          : `Nothing was done. To go on, repeat the call with ${confirmMember}.`;
      return { dryRun: expected, next, [confirmMember]: newWord(name, parameters) };
    }
    if (isConfirmed(word, name, parameters)) return submit(name, parameters);
    throw usage(
      `${confirmMember} is not the word of a dry run of this call`,
      `Repeat the call without ${confirmMember}.`,
    );
  };

  return {
    list: operations.map(toolOf),
    call: async (name, parameters) => {
      const operation = byName.get(name);
      if (operation === undefined) return undefined;
      try {
        if (operation.kind === 'submit') return resultOf(await change(name, parameters));
        const { query } = await client();
        return resultOf(await query(name, parameters));
      } catch (error) {
        return failureResult(error);
      }
    },
  };
}

function toolOf({ name, kind, summary, parameters }: Operation): Tool {
  const isQuery = kind === 'query';
  return {
    name,
    title: name.replaceAll('_', ' '),
    description: isQuery
      ? summary
      : `${summary} The first call returns a dry run; repeat it with its ${confirmMember} to act.`,
    inputSchema: isQuery ? parameters : withConfirmation(parameters),
    annotations: { readOnlyHint: isQuery, destructiveHint: !isQuery, openWorldHint: false },
  };
}

const withConfirmation = (parameters: JsonSchema): JsonSchema => ({
  ...parameters,
  properties: {
    ...parameters.properties,
    [confirmMember]: {
      type: 'string',
      title: 'Confirmation',
      description: `The ${confirmMember} that the dry run of this call returned.`,
    },
  },
});

function resultOf(value: JsonObject): ToolResult {
  const text = JSON.stringify(value);
  if (text.length <= maximumResultCharacters) {
    return { content: [{ type: 'text', text }], structuredContent: value };
  }
  throw usage(
    `the answer has ${text.length} characters, and at most ${maximumResultCharacters} are returned`,
    'Ask for fewer rows, such as by paginationOptions.limit.',
  );
}

/** Converts a failure to a result with its message and next step. Rethrows internal errors. */
function failureResult(error: unknown): ToolResult {
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  const { message, details, next } = failure;
  const lines = [message, ...details, ...(next === undefined ? [] : [`Next: ${next}`])];
  return { content: [{ type: 'text', text: lines.map(visible).join('\n') }], isError: true };
}
