// The client: one function for each kind of request. Types of names, parameters and results come from
// operations.ts.

import { account } from './accounts.ts';
import { activitiesOf } from './activities.ts';
import type { SentRequest } from './errors.ts';
import type { Activity, Queries, Submits } from './generated/operations.ts';
import { doneOf, type Outcome } from './outcome.ts';
import type { PagedName, Pages } from './pages.ts';
import type { Preview } from './preview.ts';
import { type CallOptions, requestsOf, type SubmitOptions } from './requests.ts';
import type { ServiceKeys } from './service_keys.ts';
import type { Stamp } from './stamps.ts';
import type { World } from './transport.ts';
import type { VerifiedActivity } from './verified_activity.ts';
import type { VerifySecp256k1 } from './vote_signatures.ts';
import type { WatchOptions } from './watch.ts';

/** The service, organization and credential of a client. */
export type Connection = {
  /** Address of the service, such as `http://localhost:8080`. */
  readonly url: string;
  readonly organizationId: string;
  readonly stamp: Stamp;
  /** Pinned public keys of the service by role. Default: the client pins the keys that it first receives. */
  readonly serviceKeys?: ServiceKeys;
  /** Verifies votes of secp256k1 keys. Default: activities submitted by such keys are not trusted. */
  readonly verifySecp256k1?: VerifySecp256k1;
} & Partial<World>;

export type SubmitName = keyof Submits;
export type QueryName = keyof Queries;
type Call = { readonly parameters: object; readonly result: object };

/** Arguments of a call. Parameters are optional if no member is required. */
type Arguments<C extends Call, Options = CallOptions> =
  Readonly<Record<never, never>> extends C['parameters']
    ? [parameters?: C['parameters'], options?: Options]
    : [parameters: C['parameters'], options?: Options];

export type Client = {
  /** Returns the result of a completed activity. Throws `NeedsVotes`, `Refused` and the other errors. */
  submit<N extends SubmitName>(
    name: N,
    ...rest: Arguments<Submits[N], SubmitOptions>
  ): Promise<Submits[N]['result']>;
  /** Like `submit`, but returns waiting and refused activities as values. Throws the other errors. */
  ask<N extends SubmitName>(
    name: N,
    ...rest: Arguments<Submits[N], SubmitOptions>
  ): Promise<Outcome<Submits[N]['result']>>;
  /** Returns the outcome that an activity would have, and its reason, without effects. */
  dryRun<N extends SubmitName>(name: N, ...rest: Arguments<Submits[N]>): Promise<Preview>;
  /** Returns the answer to a query. */
  query<N extends QueryName>(
    name: N,
    ...rest: Arguments<Queries[N]>
  ): Promise<Queries[N]['result']>;
  /** Yields every row of a list, fetched page by page. */
  pages: Pages;
  /**
   * Returns a stamped request without sending it. An activity can be sent for an hour; sent twice, it counts
   * once.
   */
  stamped<N extends SubmitName>(
    kind: 'submit',
    name: N,
    ...rest: Arguments<Submits[N]>
  ): Promise<SentRequest>;
  stamped<N extends QueryName>(
    kind: 'query',
    name: N,
    ...rest: Arguments<Queries[N]>
  ): Promise<SentRequest>;
  /** Returns an activity with its signed bytes, after their verification. Throws `Untrusted`. */
  activity(activityId: string, options?: CallOptions): Promise<VerifiedActivity>;
  /** Approves a verified activity, and returns its outcome. */
  approve(activity: VerifiedActivity, options?: CallOptions): Promise<Outcome<unknown>>;
  /** Rejects a verified activity, and returns its outcome. */
  reject(activity: VerifiedActivity, options?: CallOptions): Promise<Outcome<unknown>>;
  /** Yields new and decided activities, oldest first, until the signal aborts. */
  watch(options?: WatchOptions): AsyncGenerator<Activity, void>;
  /** Returns the same client with another credential. */
  as(stamp: Stamp): Client;
  /** Returns the same client for another organization. */
  within(organizationId: string): Client;
  /**
   * Returns the public keys of the service by role, in hex: the given keys, or those pinned now. Throws
   * `Untrusted`.
   */
  serviceKeys(options?: CallOptions): Promise<ServiceKeys>;
  /** Returns the parameters of a chain's usual account. */
  account: typeof account;
  readonly url: string;
  readonly organizationId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Returns a client. Sends no request yet. */
export function connect(connection: Connection): Client {
  const world: World = {
    fetch: connection.fetch ?? ((...all) => fetch(...all)),
    now: connection.now ?? Date.now,
    pause: connection.pause ?? pause,
  };
  const url = connection.url.replace(/\/+$/, '');
  const shared = { world, clock: clockOf(world), serviceKeys: pinned(url, world, connection) };
  return clientOf({ ...connection, url }, shared);
}

/** Returns a function for the pinned keys: those given, or those of the first request. */
function pinned(url: string, world: World, { serviceKeys }: Connection): Client['serviceKeys'] {
  let pins = serviceKeys;
  return async (options) => {
    if (pins !== undefined) return pins;
    const { publishedKeys } = await import('./service_keys.ts');
    const published = await publishedKeys(url, world, options);
    // If two reads race, the first result is pinned.
    pins ??= published;
    return pins;
  };
}

/** Returns strictly increasing milliseconds, because two requests with equal bodies would be one activity. */
function clockOf({ now }: World): () => number {
  let last = 0;
  return () => {
    last = Math.max(now(), last + 1);
    return last;
  };
}

/** The state that all clients from `as` and `within` share. */
type Shared = {
  readonly world: World;
  readonly clock: () => number;
  readonly serviceKeys: Client['serviceKeys'];
};

function clientOf(connection: Connection, shared: Shared): Client {
  const { url, organizationId, verifySecp256k1 } = connection;
  const { world, clock, serviceKeys } = shared;
  const requests = requestsOf(connection, world, clock);
  const { query, answerTo, activityRequest, queryRequest } = requests;
  const { ask, vote } = activitiesOf(requests, world);
  const client = {
    ask,
    query,
    account,
    url,
    organizationId,
    now: world.now,
    serviceKeys,
    submit: async (name: string, parameters?: object, options?: SubmitOptions) =>
      doneOf(await ask(name, parameters, options)),
    dryRun: async (name: string, parameters?: object, options?: CallOptions) => {
      const request = await activityRequest(name, parameters, { dryRun: true });
      const { previewOf } = await import('./preview.ts');
      return previewOf(await answerTo(request, options));
    },
    stamped: (kind: 'submit' | 'query', name: string, parameters?: object) =>
      kind === 'submit' ? activityRequest(name, parameters) : queryRequest(name, parameters),
    pages: async function* (name: PagedName, parameters?: object, options?: CallOptions) {
      const { pagesOf } = await import('./pages.ts');
      yield* pagesOf(query)(name, parameters, options);
    },
    activity: async (activityId: string, options?: CallOptions) => {
      const { activity } = await query('get_activity', { activityId }, options);
      // Loaded only for votes.
      const { verifyActivity } = await import('./verified_activity.ts');
      return verifyActivity(activity, { id: activityId, organizationId }, verifySecp256k1);
    },
    approve: (activity: VerifiedActivity, options?: CallOptions) =>
      vote('approve_activity', activity, options),
    reject: (activity: VerifiedActivity, options?: CallOptions) =>
      vote('reject_activity', activity, options),
    watch: async function* (options?: WatchOptions) {
      const { watchActivities } = await import('./watch.ts');
      yield* watchActivities(requests, world, options);
    },
    as: (stamp: Stamp) => clientOf({ ...connection, stamp }, shared),
    within: (id: string) => clientOf({ ...connection, organizationId: id }, shared),
  };
  // The object implements the typed interface; only the types relate names, parameters and results.
  return client as unknown as Client;
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
