// The service that a command talks to, as a profile or the flags name it.

import type { Client, SubmitName } from '../../client/connect.ts';
import type { SentRequest } from '../../client/errors.ts';
import type { Submits } from '../../client/generated/operations.ts';
import { apiKey, connect, type NeedsVotes, RequestFailed } from '../../client/index.ts';
import type { Outcome } from '../../client/outcome.ts';
import type { Preview } from '../../client/preview.ts';
import type { Stamp } from '../../client/stamps.ts';
import { type Output, visible } from '../output/output.ts';
import { pinnedKeysOf } from '../profiles/pins.ts';
import { warnOfPlainHttp } from '../profiles/plain_http.ts';
import { type ResolvedLogin, resolveLogin } from '../profiles/profiles.ts';
import { withSpinner } from '../terminal/spinner.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommonValues } from '../words/common_values.ts';
import { durationMs } from '../words/durations.ts';
import { type Exit, Failure } from '../words/failures.ts';
import { boundedFetch, interruptible } from './bounded_fetch.ts';
import { curlOf } from './curl.ts';

export type Service = {
  readonly client: Client;
  /** The stamp of every request. */
  readonly stamp: Stamp;
  readonly way: ResolvedLogin;
  readonly common: CommonValues;
  /**
   * The result of an activity; undefined where the flags ask for something else, which is printed then:
   * what would happen, or the request. Waits for votes where `--wait` says so.
   */
  submit<N extends SubmitName>(
    name: N,
    parameters: Submits[N]['parameters'],
  ): Promise<Submits[N]['result'] | undefined>;
  /** Any operation by a name that is known only now: the answer of a query, or as `submit` does. */
  call(
    kind: 'submit' | 'query',
    name: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
};

/**
 * Connects as the flags, the environment and the profile say. `showsQueries` prints each query for curl.
 * Raises `usage` without a key.
 */
export async function connectService(
  common: CommonValues,
  terminal: Terminal,
  output: Output,
  { showsQueries }: { readonly showsQueries: boolean },
): Promise<Service> {
  const way = await resolveLogin(common, terminal);
  warnOfPlainHttp(way.url, output);
  const stamp = await apiKey(await way.key());
  const { url, organizationId } = way;
  const serviceKeys = await pinnedKeysOf(way, terminal);
  const client = connect({
    url,
    organizationId,
    stamp,
    ...(serviceKeys === undefined ? {} : { serviceKeys }),
    ...tracing(common, terminal, output, showsQueries),
  });
  return { client, stamp, way, common, ...callsOf(client, common, terminal, output) };
}

/** Every operation, by a name whose parameters the compiler does not know. */
type AnyClient = {
  query(name: string, parameters: object): Promise<Readonly<Record<string, unknown>>>;
  ask(name: string, parameters: object): Promise<Outcome<Readonly<Record<string, unknown>>>>;
  dryRun(name: string, parameters: object): ReturnType<Client['dryRun']>;
  stamped(
    kind: 'submit' | 'query',
    name: string,
    parameters: object,
  ): ReturnType<Client['stamped']>;
};

/** The calls of a connected client, with what the common flags make of them. */
function callsOf(
  client: Client,
  common: CommonValues,
  terminal: Terminal,
  output: Output,
): Pick<Service, 'submit' | 'call'> {
  const any = client as unknown as AnyClient;
  const submit = async (name: string, parameters: object) => {
    if (common.curl) {
      output.raw(curlOf(await any.stamped('submit', name, parameters)));
      output.note('The request is good for an hour; sent twice, it is one activity.');
      return undefined;
    }
    if (common['dry-run']) {
      await showPreview(await any.dryRun(name, parameters), client, output);
      return undefined;
    }
    const outcome = await any.ask(name, parameters);
    if (outcome.outcome === 'refused') throw outcome.error;
    for (const { message } of outcome.warnings) {
      output.note(`warning: ${visible(String(message))}`);
    }
    if (outcome.outcome === 'done') return outcome.result;
    if (common.wait !== undefined) {
      return await settled(outcome.error, common.wait, terminal, output);
    }
    throw outcome.error;
  };
  // Names, parameters and results are bound to each other by the type of the client.
  return {
    submit,
    call: (kind, name, parameters) =>
      kind === 'query' ? any.query(name, parameters) : submit(name, parameters),
  } as Pick<Service, 'submit' | 'call'>;
}

/** Resolves with the result after the votes. A timeout yields the waiting activity, as without `--wait`. */
async function settled<Result>(
  waiting: NeedsVotes<Result>,
  wait: string,
  { signal }: Terminal,
  output: Output,
): Promise<Result> {
  output.note(`Activity ${waiting.activityId} waits for approval.`);
  const over = AbortSignal.timeout(durationMs(wait));
  try {
    return await waiting.settled({ signal: AbortSignal.any([signal, over]) });
  } catch (error) {
    if (over.aborted && !signal.aborted) throw waiting;
    // A failed request says nothing about the activity, which is assumed to wait.
    if (error instanceof RequestFailed) {
      output.note(visible(error.message));
      throw waiting;
    }
    throw error;
  }
}

const previews: Readonly<Record<Preview['outcome'], { says: string; exit: Exit }>> = {
  done: { says: 'It would be done.', exit: 'done' },
  waiting: { says: 'It would wait for approval.', exit: 'waits' },
  refused: { says: 'It would be refused.', exit: 'refused' },
};

/** Prints what would happen; ends with the code that the real call would end with. */
async function showPreview(preview: Preview, client: Client, output: Output): Promise<void> {
  const { outcome, decision, failure } = preview;
  const { says, exit } = previews[outcome];
  const reason = failure?.message ?? decision?.message ?? '';
  output.thing({ Outcome: says, Reason: reason }, { document: preview, ids: [outcome] });
  if (!output.json && !output.quiet) {
    const { linesOfPreview } = await import('../output/explanations.ts');
    for (const line of await linesOfPreview(preview, client)) output.note(line);
  }
  if (exit !== 'done') {
    throw new Failure({ exit, code: `would_be_${outcome}`, message: `Dry run: ${says}` });
  }
}

/** Requests of this client, bounded. `--verbose` writes a line for each, without any secret. */
function tracing(
  { verbose }: CommonValues,
  terminal: Terminal,
  output: Output,
  showsQueries: boolean,
) {
  const { fetch: send, pause } = interruptible(
    withSpinner(boundedFetch, terminal),
    terminal.signal,
  );
  if (!verbose && !showsQueries) return { fetch: send, pause };
  return {
    pause,
    fetch: async (...[input, options]: Parameters<typeof fetch>) => {
      if (showsQueries && isQuery(input)) output.raw(curlOf(sentRequest(input, options)));
      if (!verbose) return send(input, options);
      const startMs = terminal.clock();
      const response = await send(input, options);
      const { pathname } = new URL(String(input));
      const id = response.headers.get('x-request-id') ?? '';
      const ms = terminal.clock() - startMs;
      terminal.err(`POST ${pathname} ${response.status} in ${ms} ms ${visible(id)}\n`);
      return response;
    },
  };
}

const isQuery = (input: Parameters<typeof fetch>[0]): boolean =>
  new URL(String(input)).pathname.startsWith('/public/v1/query/');

/** The exact bytes of the request, which its stamp signs. */
function sentRequest(input: Parameters<typeof fetch>[0], options: RequestInit = {}): SentRequest {
  const headers = Object.fromEntries(new Headers(options.headers));
  return { url: String(input), method: 'POST', headers, body: String(options.body) };
}
