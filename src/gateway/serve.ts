// Starts the gateway step by step (data, services, enclave, servers), and stops it in reverse order. Each
// step is a file of the folder start/.

import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { atLocalhost, isOpenedAtLocalhost } from './base/both_families.ts';
import { monotonicClock } from './base/clock.ts';
import type { Development } from './development/development.ts';
import type { EnclaveProcess } from './enclave/process.ts';
import { saveRootCredentials } from './enclave/root_credentials.ts';
import type { Supervisor } from './enclave/supervise.ts';
import type { Log } from './observability/log.ts';
import { givenLog, openLog } from './observability/log.ts';
import { inboxPath } from './protocol/paths.ts';
import type { OpenedCustody, OperatorPorts } from './root_key/open_custody.ts';
import { failureOfStart } from './start/failures.ts';
import { openData } from './start/open_data.ts';
import { startEnclave, watchEnclave } from './start/start_enclave.ts';
import { startServers } from './start/start_servers.ts';
import { startServices } from './start/start_services.ts';
import { beginStart, closeAll, type Starting } from './start/starting.ts';
import { createStopping, lameDuckOf, type Stopping } from './start/stopping.ts';

/** A running service. */
export type Service = {
  readonly baseUrl: string;
  /** The address where browsers open the dashboard; without a dashboard, the address of the API. */
  readonly pageUrl: string;
  /** Address of the onboarding proxy, which may have a separate port. */
  readonly authProxyUrl: string;
  /** Address of the metrics; undefined if they are off. */
  readonly metricsUrl: string | undefined;
  readonly organizationId: string;
  /** Path of the credentials file; undefined unless this start wrote it. */
  readonly credentialsFile: string | undefined;
  /** Address that shows unsent messages; undefined outside of development. */
  readonly inboxUrl: string | undefined;
  /**
   * Reports that the service is not ready, and stops accepting after the lame-duck phase. Then lets requests
   * in progress finish, ends the enclave and closes the store.
   */
  stop(): Promise<void>;
  /** Ends the lame-duck phase; returns false if there is none now. */
  skipLameDuck(): boolean;
};

/** The parts that tests replace, and that `keywright dev` adds. */
export type ServeParts = OperatorPorts & {
  /** Ends the wait for a root key. The wait rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly launch: () => EnclaveProcess;
  readonly openApi: (baseUrl: string) => Promise<object>;
  /** Puts the service into development mode. */
  readonly development: Development;
};

/**
 * Starts the service and resolves once it is ready. Raises UnusableDataError for problems that the operator
 * must fix. If the start fails, everything that was opened is closed again.
 */
export async function serve(settings: Settings, parts: Partial<ServeParts> = {}): Promise<Service> {
  const opened = parts.log === undefined ? openLog(settings) : givenLog(parts.log);
  const starting = beginStart(settings, opened.log);
  try {
    const running = await start(starting, parts, opened.dropped);
    const { stopping } = running;
    return {
      ...running.service,
      stop: () => stopping.stop().finally(opened.end),
      skipLameDuck: stopping.skipLameDuck,
    };
  } catch (error) {
    await closeAll(starting.closers);
    await opened.end();
    throw failureOfStart(error, settings.dataDirectory);
  }
}

type Started = {
  readonly service: Omit<Service, 'stop' | 'skipLameDuck'>;
  readonly stopping: Stopping;
};

/** Runs the steps of a start. Each step adds the functions that undo it. */
async function start(
  starting: Starting,
  parts: Partial<ServeParts>,
  linesDropped: () => number,
): Promise<Started> {
  const data = await openData(starting, linesDropped);
  const services = await startServices(starting, data.store);
  // The enclave starts while this process loads its larger modules.
  const started = await startEnclave(
    starting,
    { data, services },
    parts,
    () => import('./http/http.ts'),
  );
  const { enclave, custody, organization } = started;
  await watchEnclave(starting, { data, services, enclave: started });
  const { servers, ...urls } = await startServers(starting, { services, enclave: started }, parts);
  const credentialsFile = saveRootCredentials(data.directory, organization, urls);
  const stopping = stoppingOf(starting, servers);
  starting.notReady = () => [
    ...reasonsOf({ stopping, custody, enclave, store: data.store }),
    ...(starting.copy?.reasons() ?? []),
  ];
  const { inbox } = services.messages;
  const { metricsUrl } = data;
  const inboxUrl = inbox && `${urls.baseUrl}${inboxPath}?token=${inbox.token}`;
  const service = {
    ...urls,
    pageUrl: isOpenedAtLocalhost(starting.settings) ? atLocalhost(urls.baseUrl) : urls.baseUrl,
    metricsUrl,
    organizationId: organization.organizationId,
    credentialsFile,
    inboxUrl,
  };
  logReady(starting, service);
  return { service, stopping };
}

function stoppingOf(
  { settings, log, closers }: Starting,
  servers: readonly { retire(): void }[],
): Stopping {
  return createStopping({
    lameDuckMs: lameDuckOf(settings),
    servers,
    close: () => closeAll(closers),
    log,
    clock: monotonicClock,
  });
}

/** Logs the addresses of a ready service. */
function logReady(
  { log, settings }: Starting,
  { baseUrl, authProxyUrl, metricsUrl, inboxUrl }: Started['service'],
): void {
  log('info', 'ready', {
    baseUrl,
    ...(settings.authProxyPort === undefined ? {} : { authProxyUrl }),
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    ...(inboxUrl === undefined ? {} : { inboxUrl }),
  });
}

/** Returns why the service is not ready; empty once it is. */
function reasonsOf({
  stopping,
  custody,
  enclave,
  store,
}: {
  readonly stopping: Stopping;
  readonly custody: Pick<OpenedCustody, 'reasons'>;
  readonly enclave: Supervisor;
  readonly store: Store;
}): readonly string[] {
  const health = store.healthy();
  return [
    ...(stopping.hasBegun() ? ['the service is stopping'] : []),
    ...custody.reasons(),
    ...(enclave.isRunning() ? [] : ['the enclave is not running']),
    ...(health.ok ? [] : [health.reason]),
  ];
}
