// The last step of a start: the servers of the API and of the onboarding proxy.

import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Settings } from '../../settings/settings.ts';
import { affordableConnections, createConnections } from '../admission/connections.ts';
import { createKnownKeys } from '../admission/known_keys.ts';
import { createLoadLimiter } from '../admission/load_limiter.ts';
import { createRateLimits } from '../admission/rate_limit.ts';
import { baseUrlOf } from '../base/base_url.ts';
import { isOpenedAtLocalhost } from '../base/both_families.ts';
import { monotonicClock } from '../base/clock.ts';
import { openDashboard } from '../dashboard/open_dashboard.ts';
import type { Development } from '../development/development.ts';
import { askOf } from '../enclave/client.ts';
import type { HttpOptions, HttpServer } from '../http/options.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { HttpPart } from '../protocol/paths.ts';
import type { StartedEnclave } from './start_enclave.ts';
import type { StartedServices } from './start_services.ts';
import type { Starting } from './starting.ts';

type StartedServers = {
  readonly servers: readonly HttpServer[];
  readonly baseUrl: string;
  /** The address of the onboarding proxy, which is the same unless it has a separate port. */
  readonly authProxyUrl: string;
};

type ServerParts = {
  /** Tests replace it. */
  readonly openApi?: ((baseUrl: string) => Promise<object>) | undefined;
  /** Undefined outside of development mode. */
  readonly development?: Development | undefined;
};

/** Starts one server for both parts, or two if the proxy has a separate port. */
export async function startServers(
  starting: Starting,
  started: { readonly services: StartedServices; readonly enclave: StartedEnclave },
  parts: ServerParts,
): Promise<StartedServers> {
  const { settings, closers } = starting;
  const { host, authProxyPort } = settings;
  const { reservation } = started.enclave;
  const { createHttp } = await import('../http/http.ts');
  const servers: HttpServer[] = [];
  let baseUrl = '';
  const options = await httpOptions(starting, started, { ...parts, baseUrl: () => baseUrl });
  const listen = async (port: number, serves: readonly HttpPart[]): Promise<string> => {
    const http = createHttp({ ...options, serves });
    servers.push(http);
    closers.push(() => http.drain(settings.drainTimeoutMs));
    const asLocalhost = serves.includes('api') && isOpenedAtLocalhost(settings);
    return baseUrlOf(host, await http.listen({ host, port, asLocalhost }));
  };
  const isTogether = authProxyPort === undefined;
  await reservation.release();
  baseUrl = await listen(reservation.port, isTogether ? ['api', 'proxy'] : ['api']);
  const authProxyUrl = isTogether ? baseUrl : await listen(authProxyPort, ['proxy']);
  return { servers, baseUrl, authProxyUrl };
}

/** Returns the options that all servers of the process share. */
async function httpOptions(
  starting: Starting,
  { services, enclave: started }: Parameters<typeof startServers>[1],
  { openApi, development, baseUrl }: ServerParts & { readonly baseUrl: () => string },
): Promise<Omit<HttpOptions, 'serves'>> {
  const { settings, log, metrics } = starting;
  const { enclave, organization, discovery } = started;
  const { messages, port, tracing, held } = services;
  return {
    ask: askOf(enclave.call, port, metrics),
    // A restarted enclave does not have the request.
    cancel: (cancelId) => {
      for (const call of enclave.calls()) call('cancel', { cancelId }).catch(() => undefined);
    },
    notReady: () => starting.notReady(),
    discovery,
    entryLog: {
      checkpoint: () => enclave.call('logCheckpoint', undefined),
      witnessLines: started.witnesses?.lines ?? 'quorum none\n',
      tile: async (path) => (await enclave.call('logTile', { path })).body,
    },
    shares: started.custody.shares,
    webhookKeySet: async () => (await enclave.call('webhookKeySet', undefined)).body,
    openApi: () => (openApi ?? onThread)(baseUrl()),
    inbox: messages.inbox,
    development,
    frames: await openFrames(settings),
    dashboard: await openDashboard(settings, organization, development && messages.inbox),
    log,
    metrics,
    tracing,
    activityTimes: settings.activityTimes,
    ...boundsOf(settings, metrics),
    held,
  };
}

/** Returns the frames; undefined, without loading their module, if no application may embed them. */
async function openFrames({ frameOrigins }: Settings): Promise<HttpOptions['frames']> {
  if (frameOrigins === undefined) return undefined;
  const { createFrames } = await import('../frames/files.ts');
  return createFrames(frameOrigins);
}

/** The thread runs the file of this module, so a bundle must put the module into a separate file. */
async function onThread(baseUrl: string): Promise<Uint8Array> {
  const { openApiOnThread } = await import('../http/openapi_thread.ts');
  return openApiOnThread(baseUrl);
}

/** Creates the bounds that all servers of the process share. */
function boundsOf(settings: Settings, metrics: Metrics) {
  const now = monotonicClock.now;
  const connectionsMaximum = affordableConnections(settings.connectionsMaximum, processLimits());
  return {
    limits: settings,
    load: createLoadLimiter(settings, {
      clock: now,
      uses: [() => performance.eventLoopUtilization().active],
      answerDropped: () => metrics.admissionRefused('unread'),
    }),
    connections: createConnections({ ...settings, connectionsMaximum }, now),
    knownKeys: createKnownKeys(now),
    rateLimits: createRateLimits(settings, now, metrics.requestRateLimited),
  };
}

/** Reads the limits of this process in Linux. */
function processLimits(): string | undefined {
  const path = '/proc/self/limits';
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
