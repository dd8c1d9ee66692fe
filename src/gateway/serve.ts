// Puts the gateway together: data, store, enclave, HTTP; and takes it apart again.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { assetsOf } from '../core/balances/chains.ts';
import { ServiceError } from '../core/errors/errors.ts';
import type { Deployment } from '../core/external/external_services.ts';
import { openKernelRandom } from '../kernel_random.ts';
import type { Settings } from '../settings.ts';
import { openDataDirectory, readOrCreateRootKey, readRootKey } from '../store/data_directory.ts';
import type { StorePort } from '../store/port.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { monotonicClock } from './clock.ts';
import { affordableConnections, createConnections } from './connections.ts';
import type { Development } from './development/development.ts';
import { createEnclaveClient } from './enclave_client.ts';
import type { EnclaveProcess } from './enclave_process.ts';
import { startEnclaveProcess } from './enclave_process.ts';
import { externalHandlers } from './external_handlers.ts';
import { createExternalServices } from './external_services.ts';
import { createHeldRequests, type HeldRequests } from './held_requests.ts';
import { createLoadLimiter } from './load_limiter.ts';
import type { Log } from './log.ts';
import { createLog } from './log.ts';
import { type Messages, openMessages } from './messages/open_messages.ts';
import type { Metrics } from './metrics.ts';
import { createMetrics, noMetrics, serveMetrics } from './metrics.ts';
import { createNews, type News } from './news.ts';
import { createOutbound } from './outbound/outbound.ts';
import { type HttpPart, inboxPath } from './paths.ts';
import { reservePort } from './port_reservation.ts';
import { createRateLimits } from './rate_limit.ts';
import { bootstrapRoot, saveRootCredentials } from './root_credentials.ts';
import { storeHandlers } from './store_handlers.ts';
import { type Supervisor, superviseEnclave } from './supervise.ts';
import type { WebhookWorker } from './webhooks/worker.ts';

/** Between two looks for what other nodes wrote, while anybody waits for news. */
const newsPollMs = 500;

/** A running service. */
export type Service = {
  readonly baseUrl: string;
  /** Where the onboarding proxy is: the same, unless it has a port of its own. */
  readonly authProxyUrl: string;
  /** Where the metrics are; undefined when they are off. */
  readonly metricsUrl: string | undefined;
  readonly organizationId: string;
  /** Path of the credentials file, when this start wrote it. */
  readonly credentialsFile: string | undefined;
  /** Where messages are shown that are not sent; undefined outside of development. */
  readonly inboxUrl: string | undefined;
  /** Stops accepting, lets requests in flight finish, ends the enclave and closes the store. */
  stop(): Promise<void>;
};

/** What tests replace, and what `keywright dev` adds. */
export type ServeParts = {
  readonly log: Log;
  readonly launch: () => EnclaveProcess;
  readonly openApi: (baseUrl: string) => Promise<object>;
  /** Puts the service into development mode. */
  readonly development: Development;
};

/**
 * Starts the service and gives it once it is ready. Raises UnusableDataError for what the operator
 * has to mend; everything that was opened is closed again when the start fails.
 */
export async function serve(settings: Settings, parts: Partial<ServeParts> = {}): Promise<Service> {
  const log = parts.log ?? createLog(settings.logLevel);
  const closers: (() => void | Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
  };
  try {
    const directory = openDataDirectory(settings.dataDirectory);
    closers.push(() => directory.close());
    syncNames(directory.path);
    const store = await openStore(settings, directory.path, log);
    closers.push(() => store.close());

    let isNewDatabase = (await store.port.deployment()) === undefined;
    let notReady: () => readonly string[] = () => ['the service is starting'];
    const { metrics, metricsUrl } = await startMetrics(settings, closers, () => notReady());
    const messages = await startMessages(settings, { log, metrics, closers });
    let webhooks: WebhookWorker | undefined;
    const { news, held } = startNews(settings, store, { metrics, closers });
    const wake = () => webhooks?.wake();
    const port = toldOfCommits(counted(store.port, metrics), { news, wake });
    const outside = createExternalServices(settings, { deliver: messages.deliver, log });
    closers.push(() => outside.close());
    // Tokens of the service say where it is.
    const place = await reservePort(settings);
    closers.push(() => place.release());
    const rootKeyFile = settings.rootKeyFile ?? join(directory.path, 'root.key');
    const enclave = superviseEnclave({
      launch: parts.launch ?? (() => startEnclaveProcess({ log })),
      readRootKey: () => rootKeyOf(rootKeyFile, isNewDatabase),
      liveness: {
        maximumAgeMs: settings.livenessMaximumAgeMs,
        maximumAheadMs: settings.livenessMaximumAheadMs,
      },
      deployment: deploymentOf({ ...settings, port: place.port }, messages),
      handlers: {
        ...storeHandlers(port, log),
        ...externalHandlers(outside),
      },
      callsMaximum: settings.inFlightMaximum,
      log,
      restarted: () => metrics.enclaveRestarted(),
    });
    closers.push(() => enclave.stop());
    // The enclave starts up while this process loads its own larger half.
    const [{ createHttp }] = await Promise.all([import('./http.ts'), enclave.start()]);
    // Whoever is started after this one works on what this one makes: with its key or not at all.
    isNewDatabase = false;
    const organization = await bootstrapOf(directory.path, rootKeyFile, enclave);

    const discovery = await enclave.call('discovery', undefined);
    const { startWebhooks } = await import('./webhooks/start_webhooks.ts');
    webhooks = startWebhooks({ settings, store, enclave, log, metrics });
    closers.push(() => webhooks?.stop());
    if (settings.chains !== undefined) {
      const { startChains } = await import('./chains/start_chains.ts');
      const watch = startChains({ chains: settings.chains, enclave, log });
      closers.push(() => watch.stop());
    }

    const connectionsMaximum = affordableConnections(settings.connectionsMaximum, processLimits());
    let baseUrl = '';
    const shared = {
      ask: createEnclaveClient(
        {
          request: (request) => enclave.call('request', request),
          prepare: (request) => enclave.call('prepare', request),
        },
        port,
      ),
      // An enclave that is gone has forgotten the request.
      cancel: (cancelId: number) =>
        void enclave.call('cancel', { cancelId }).catch(() => undefined),
      notReady: () => notReady(),
      discovery,
      webhookKeySet: async () => (await enclave.call('webhookKeySet', undefined)).body,
      openApi: () => (parts.openApi ?? importedOpenApi)(baseUrl),
      inbox: messages.inbox,
      development: parts.development,
      log,
      metrics,
      rateLimits: createRateLimits(
        settings,
        () => performance.now(),
        (limit) => metrics.requestRateLimited(limit),
      ),
      limits: settings,
      load: createLoadLimiter(settings, () => performance.now()),
      connections: createConnections({ ...settings, connectionsMaximum }, () => performance.now()),
      held,
    };
    const { host, authProxyPort } = settings;
    const listen = async (at: number, serves: readonly HttpPart[]): Promise<string> => {
      const http = createHttp({ ...shared, serves });
      closers.push(() => http.drain(settings.drainTimeoutMs));
      return baseUrlOf(host, await http.listen({ host, port: at }));
    };
    const isTogether = authProxyPort === undefined;
    await place.release();
    baseUrl = await listen(place.port, isTogether ? ['api', 'proxy'] : ['api']);
    const authProxyUrl = isTogether ? baseUrl : await listen(authProxyPort, ['proxy']);
    const credentialsFile = saveRootCredentials(directory.path, organization, {
      baseUrl,
      authProxyUrl,
    });
    const { inbox } = messages;
    const inboxUrl = inbox && `${baseUrl}${inboxPath}?token=${inbox.token}`;
    notReady = () => {
      const health = store.healthy();
      return [
        ...(enclave.isRunning() ? [] : ['the enclave is not running']),
        ...(health.ok ? [] : [health.reason]),
      ];
    };
    log('info', 'ready', {
      baseUrl,
      ...(isTogether ? {} : { authProxyUrl }),
      ...(metricsUrl === undefined ? {} : { metricsUrl }),
      ...(inboxUrl === undefined ? {} : { inboxUrl }),
    });
    return {
      baseUrl,
      authProxyUrl,
      metricsUrl,
      organizationId: organization.organizationId,
      credentialsFile,
      inboxUrl,
      stop,
    };
  } catch (error) {
    await stop();
    // There is nobody yet to start another one.
    if (error instanceof ServiceError && error.code === 'enclave_unavailable') {
      throw new UnusableDataError('the enclave did not start: the lines above say why');
    }
    throw isOfFiles(error)
      ? new UnusableDataError(`${settings.dataDirectory} cannot be used: ${named(error)}`)
      : error;
  }
}

/** What brings messages to people. It ends after what asks it to has ended. */
async function startMessages(
  settings: Settings,
  parts: {
    readonly log: Log;
    readonly metrics: Metrics;
    readonly closers: (() => void | Promise<void>)[];
  },
): Promise<Messages> {
  const { log, metrics, closers } = parts;
  const outbound = createOutbound(settings);
  closers.push(() => outbound.close());
  const messages = await openMessages(settings, {
    log,
    clock: Date.now,
    random: openKernelRandom(),
    finished: metrics.messageEnded,
    send: outbound.send,
  });
  closers.push(() => messages.stop(settings.drainTimeoutMs));
  return messages;
}

/** What the enclave is told of where it runs. */
function deploymentOf(
  settings: Settings,
  { inbox, channels }: Pick<Messages, 'inbox' | 'channels'>,
): Deployment {
  const { publicUrl, host, port, compatibleHeaders, captchaSiteKey, oidcIssuers, chains } =
    settings;
  return {
    publicUrl: publicUrl ?? baseUrlOf(host, port),
    isDevelopment: inbox !== undefined,
    sendsEmail: channels.includes('email'),
    sendsSms: channels.includes('sms'),
    // To the development inbox nothing costs anything.
    smsPrefixes: settings.smsPrefixes ?? (settings.smsUrl === undefined ? undefined : []),
    compatibleWebhooks: compatibleHeaders,
    oidcIssuers,
    acceptsUnboundTokens: settings.unboundTokens,
    acceptsUnboundIdentities: settings.unboundIdentities,
    captchaSiteKey,
    chains: (chains ?? []).map((chain) => ({ caip2: chain.caip2, assets: assetsOf(chain) })),
  };
}

/** The limits of this process as Linux lists them. */
function processLimits(): string | undefined {
  const path = '/proc/self/limits';
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** An earlier start may have ended between making a file and making its name durable. */
function syncNames(directory: string): void {
  const file = openSync(directory, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const networkCalls = ['listen', 'bind', 'connect', 'getaddrinfo'];

/** Errors of the operating system that have to do with files; most of them name the file. */
function isOfFiles(error: unknown): error is Error {
  if (!(error instanceof Error && 'errno' in error && 'code' in error)) return false;
  return !('syscall' in error && networkCalls.includes(String(error.syscall)));
}

/** Node itself has no name for a quota that is used up. */
function named(error: Error): string {
  const isQuota = 'errno' in error && error.errno === -constants.errno.EDQUOT;
  return isQuota ? `${error.message} (EDQUOT: the disk quota is used up)` : error.message;
}

/** The driver of the shared store is loaded only where it is used. */
async function openStore({ databaseUrl }: Settings, directory: string, log: Log): Promise<Store> {
  if (databaseUrl === undefined) {
    return openSqliteStore({ file: join(directory, 'keywright.sqlite'), log });
  }
  const { openPostgresStore } = await import('../store/postgres.ts');
  return openPostgresStore({ url: databaseUrl, log, clock: monotonicClock.now });
}

/** A root key is made only together with its database: another one would open nothing in it. */
function rootKeyOf(path: string, isNewDatabase: boolean): Uint8Array {
  if (isNewDatabase) return readOrCreateRootKey(path, openKernelRandom());
  const rootKey = readRootKey(path);
  if (rootKey !== undefined) return rootKey;
  throw new UnusableDataError(
    `the database was made with a root key that is not at ${path}: put it back there, or set KEYWRIGHT_ROOT_KEY_FILE`,
  );
}

/** Tells a database that was made with another root key apart from all that can go wrong. */
async function bootstrapOf(
  path: string,
  rootKeyFile: string,
  enclave: Supervisor,
): Promise<Awaited<ReturnType<typeof bootstrapRoot>>> {
  try {
    return await bootstrapRoot(path, (request) => enclave.call('bootstrap', request));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'deployment_missing') throw new UnusableDataError(error.message);
    if (error.code !== 'root_key_mismatch') throw error;
    throw new UnusableDataError(
      `the root key ${rootKeyFile} is not the one that the database was made with`,
    );
  }
}

/** Where a client on the same machine reaches a listener. */
export function baseUrlOf(host: string, port: number): string {
  const reachable = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]);
  const name = reachable.get(host) ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

async function startMetrics(
  { metricsHost, metricsPort }: Settings,
  closers: (() => void)[],
  notReady: () => readonly string[],
): Promise<{ readonly metrics: Metrics; readonly metricsUrl: string | undefined }> {
  if (metricsPort === undefined) return { metrics: noMetrics, metricsUrl: undefined };
  const created = await createMetrics();
  const server = await serveMetrics({ host: metricsHost, port: metricsPort }, created, notReady);
  closers.push(() => server.close());
  return { metrics: created.metrics, metricsUrl: baseUrlOf(metricsHost, server.port) };
}

/** What callers may wait for, and those who wait. */
function startNews(
  { databaseUrl, sourceSharePercent }: Settings,
  store: Store,
  { metrics, closers }: { readonly metrics: Metrics; readonly closers: (() => void)[] },
): { readonly news: News; readonly held: HeldRequests } {
  const isShared = databaseUrl !== undefined;
  const clock = monotonicClock;
  const news = createNews({
    clock,
    shared: isShared ? { marks: store.news.marks, pollMs: newsPollMs } : undefined,
  });
  closers.push(() => news.close());
  const heldChanged = metrics.requestsHeld;
  return { news, held: createHeldRequests({ news, clock, sourceSharePercent, heldChanged }) };
}

/** The store; those who wait for news are told of its commits, and who delivers events of new ones. */
function toldOfCommits(
  store: StorePort,
  { news, wake }: { readonly news: News; readonly wake: () => void },
): StorePort {
  return {
    ...store,
    commit: async (change) => {
      const outcome = await store.commit(change);
      if (outcome !== 'committed') return outcome;
      news.committed(change);
      if (change.events.length > 0 || change.redeliveries.length > 0) wake();
      return outcome;
    },
  };
}

/** The store, its commits counted. */
function counted(store: StorePort, metrics: Metrics): StorePort {
  if (metrics === noMetrics) return store;
  let underWay = 0;
  return {
    ...store,
    commit: async (change) => {
      underWay += 1;
      metrics.commitStarted(underWay);
      try {
        return await store.commit(change);
      } finally {
        underWay -= 1;
      }
    },
  };
}

// Read at the first request for it: a start does not need all operations and their schemas.
async function importedOpenApi(baseUrl: string): Promise<object> {
  const { openApiDocument } = await import('../operations/openapi.ts');
  return openApiDocument(baseUrl);
}
