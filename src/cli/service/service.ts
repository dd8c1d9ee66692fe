// The service of a command, as the profile or the flags select it.

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
  /** Stamps all requests. */
  readonly stamp: Stamp;
  readonly login: ResolvedLogin;
  readonly common: CommonValues;
  /**
   * Returns the result of an activity. With `--dry-run` or `--curl`, prints the preview or the request and
   * returns undefined. With `--wait`, waits for votes.
   */
  submit<N extends SubmitName>(
    name: N,
    parameters: Submits[N]['parameters'],
  ): Promise<Submits[N]['result'] | undefined>;
  /** Calls an operation by name: returns the answer of a query, or acts like `submit`. */
  call(
    kind: 'submit' | 'query',
    name: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
};

/**
 * Connects to the service that the flags, the environment and the profile select. `showsQueries` prints
 * queries as curl commands. Throws `usage` without a key.
 */
export async function connectService(
  common: CommonValues,
  terminal: Terminal,
  output: Output,
  { showsQueries }: { readonly showsQueries: boolean },
): Promise<Service> {
  const login = await resolveLogin(common, terminal);
  warnOfPlainHttp(login.url, output);
  const stamp = await apiKey(await login.key());
  const { url, organizationId } = login;
  const serviceKeys = await pinnedKeysOf(login, terminal);
  const client = connect({
    url,
    organizationId,
    stamp,
    ...(serviceKeys === undefined ? {} : { serviceKeys }),
    ...tracing(common, terminal, output, showsQueries),
  });
  return { client, stamp, login, common, ...callsOf(client, common, terminal, output) };
}

/** The client with untyped operation names. */
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

/** Returns the calls of a client under the common flags. */
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
  // The type of the client relates names, parameters and results.
  return {
    submit,
    call: (kind, name, parameters) =>
      kind === 'query' ? any.query(name, parameters) : submit(name, parameters),
  } as Pick<Service, 'submit' | 'call'>;
}

/** Waits for votes, and resolves with the result. A timeout throws the same error as without `--wait`. */
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
    // The request failed, so the state of the activity is unknown: report it as waiting.
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

/** Prints the preview. Throws with the exit code that the real call would have. */
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

/** Returns bounded request functions. With `--verbose`, prints a line for each request, without secrets. */
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

/** Returns the exact bytes of the request that the stamp signs. */
function sentRequest(input: Parameters<typeof fetch>[0], options: RequestInit = {}): SentRequest {
  const headers = Object.fromEntries(new Headers(options.headers));
  return { url: String(input), method: 'POST', headers, body: String(options.body) };
}
