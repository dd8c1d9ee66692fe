// The one table of settings. Each is an environment variable and a command-line flag; the flag takes
// precedence. Unknown names are rejected.

import { editDistance } from '../core/base/edit_distance.ts';
import { maximumLivenessMs } from '../core/base/liveness.ts';
import { anchorSettings } from './anchors.ts';
import { auditSettings } from './audit.ts';
import { clientVariables } from './client.ts';
import { compatibilitySettings } from './compatibility.ts';
import {
  chainsSetting,
  integer,
  optionalAddresses,
  optionalDatabaseUrl,
  optionalInteger,
  optionalIssuers,
  optionalOrigin,
  optionalOrigins,
  optionalText,
  type Setting,
  text,
  toggle,
} from './kinds.ts';
import { logSettings } from './logs.ts';
import { messageSettings } from './messages.ts';
import { rootKeySettings } from './root_key.ts';
import { tracesSettings } from './traces.ts';
import { webhookSettings } from './webhooks.ts';

/** Longer than a proxy takes to detect that a node is not ready. */
export const lameDuckBehindProxyMs = 5_000;

/** Maximum number of enclaves. More enclaves would only wait for the gateway and the store. */
export const maximumEnclaves = 8;

/** The settings and their defaults. */
export const settingsTable = {
  dataDirectory: text({
    variable: 'KEYWRIGHT_DATA_DIR',
    fallback: './data',
    sentence: 'Directory of the root key, the embedded database and the root credentials.',
  }),
  databaseUrl: optionalDatabaseUrl({
    variable: 'KEYWRIGHT_DATABASE_URL',
    absent: 'the embedded database in the data directory',
    sentence:
      'PostgreSQL database that several nodes may share, on one host or several (`host1:port,host2:port`); see docs/deployment.md.',
  }),
  dashboard: toggle({
    variable: 'KEYWRIGHT_DASHBOARD',
    fallback: true,
    sentence: 'Serves the dashboard at `/dashboard/`.',
  }),
  dashboardDirectory: optionalText({
    variable: 'KEYWRIGHT_DASHBOARD_DIR',
    absent: 'the files of the package',
    sentence: 'Directory of the built files of the dashboard.',
  }),
  dashboardOrganization: optionalText({
    variable: 'KEYWRIGHT_DASHBOARD_ORGANIZATION',
    absent: 'the first organization, shown only to this machine',
    sentence:
      'ID of the organization that the dashboard signs in to; every visitor of the page can read it.',
  }),
  dashboardSessionProfile: optionalText({
    variable: 'KEYWRIGHT_DASHBOARD_SESSION_PROFILE',
    absent: 'the profile that a browser met before, if any',
    sentence:
      'ID of the session profile that the dashboard starts sessions with, such as one of the scope `false`.',
  }),
  frameOrigins: optionalOrigins({
    variable: 'KEYWRIGHT_FRAME_ORIGINS',
    absent: 'no frames',
    sentence:
      'Origins of the applications that may embed `/frames/export` and `/frames/import`; see docs/clients.md.',
  }),
  host: text({
    variable: 'KEYWRIGHT_HOST',
    fallback: '127.0.0.1',
    sentence: 'Address that the API listens on.',
  }),
  port: integer({
    variable: 'KEYWRIGHT_PORT',
    fallback: 8080,
    minimum: 0,
    maximum: 65_535,
    sentence: 'Port that the API listens on; 0 takes any free one.',
  }),
  publicUrl: optionalOrigin({
    variable: 'KEYWRIGHT_PUBLIC_URL',
    absent: 'host and port that the API listens on',
    sentence: 'Address at which clients reach the service; issuer of its own OIDC tokens.',
  }),
  ...rootKeySettings,
  ...anchorSettings,
  authProxyPort: optionalInteger({
    variable: 'KEYWRIGHT_AUTH_PROXY_PORT',
    absent: 'the port of the API',
    minimum: 0,
    maximum: 65_535,
    sentence: 'Separate port for the onboarding proxy; 0 takes any free one.',
  }),
  metricsHost: text({
    variable: 'KEYWRIGHT_METRICS_HOST',
    fallback: '127.0.0.1',
    sentence: 'Address that the metrics listen on.',
  }),
  metricsPort: optionalInteger({
    variable: 'KEYWRIGHT_METRICS_PORT',
    absent: 'no metrics',
    minimum: 0,
    maximum: 65_535,
    sentence: 'Port of the Prometheus metrics (`GET /metrics`); 0 takes any free one.',
  }),
  ...tracesSettings,
  ...auditSettings,
  ...logSettings,
  bodyLimitBytes: integer({
    variable: 'KEYWRIGHT_BODY_LIMIT_BYTES',
    fallback: 4 * 1024 * 1024,
    minimum: 1024,
    maximum: 7 * 1024 * 1024,
    sentence: 'Largest request body.',
  }),
  bodyMemoryBytes: integer({
    variable: 'KEYWRIGHT_BODY_MEMORY_BYTES',
    fallback: 256 * 1024 * 1024,
    minimum: 8 * 1024 * 1024,
    maximum: 64 * 1024 * 1024 * 1024,
    sentence:
      'Memory limit for request bodies in flight and answers not yet sent, in bytes; the service answers further requests with 503.',
  }),
  enclaves: optionalInteger({
    variable: 'KEYWRIGHT_ENCLAVES',
    minimum: 1,
    maximum: maximumEnclaves,
    absent: `one for each core but one, at most ${maximumEnclaves}`,
    sentence:
      'Number of enclave processes; each organization belongs to one of them, and another one serves it during a restart.',
  }),
  inFlightMaximum: integer({
    variable: 'KEYWRIGHT_IN_FLIGHT_MAXIMUM',
    fallback: 2048,
    minimum: 1,
    maximum: 16_384,
    sentence: 'Maximum concurrent requests; the service answers further requests with 503.',
  }),
  connectionsMaximum: integer({
    variable: 'KEYWRIGHT_CONNECTIONS_MAXIMUM',
    fallback: 10_000,
    minimum: 1,
    maximum: 100_000,
    sentence:
      'Maximum open connections, at most the number of files that the process may open; beyond it the service only answers health probes.',
  }),
  sourceSharePercent: integer({
    variable: 'KEYWRIGHT_SOURCE_SHARE_PERCENT',
    fallback: 50,
    minimum: 1,
    maximum: 100,
    sentence:
      'Percentage that one source may use of the connections, concurrent requests and memory for bodies that other sources leave.',
  }),
  requestDeadlineMs: integer({
    variable: 'KEYWRIGHT_REQUEST_DEADLINE_MS',
    fallback: 10_000,
    minimum: 100,
    maximum: 600_000,
    sentence:
      'Longest time that a request waits before the service begins it; the service answers 503 at once if the wait would be longer.',
  }),
  bodyGraceMs: integer({
    variable: 'KEYWRIGHT_BODY_GRACE_MS',
    fallback: 5_000,
    minimum: 0,
    maximum: 600_000,
    sentence: 'Time after the headers in which a client may send the body at any rate.',
  }),
  bodyMinimumBytesPerSecond: integer({
    variable: 'KEYWRIGHT_BODY_MINIMUM_BYTES_PER_SECOND',
    fallback: 16_384,
    minimum: 0,
    maximum: 1_000_000_000,
    sentence:
      'Minimum average rate of a body after that time; the service answers a slower client with 408 and disconnects it. 0 allows any rate.',
  }),
  rateLimitOrganizationPerSecond: integer({
    variable: 'KEYWRIGHT_RATE_LIMIT_ORGANIZATION_PER_SECOND',
    fallback: 5_000,
    minimum: 0,
    maximum: 1_000_000,
    sentence: 'Maximum requests per second of one organization; 0 means no limit.',
  }),
  rateLimitSourcePerSecond: integer({
    variable: 'KEYWRIGHT_RATE_LIMIT_SOURCE_PER_SECOND',
    fallback: 2_000,
    minimum: 0,
    maximum: 1_000_000,
    sentence: 'Maximum requests per second of one source address; 0 means no limit.',
  }),
  rateLimitLocal: toggle({
    variable: 'KEYWRIGHT_RATE_LIMIT_LOCAL',
    fallback: false,
    sentence:
      'Applies the two limits above also to requests from loopback that came through no proxy.',
  }),
  authProxyRateLimitSourcePerSecond: integer({
    variable: 'KEYWRIGHT_AUTH_PROXY_RATE_LIMIT_SOURCE_PER_SECOND',
    fallback: 10,
    minimum: 0,
    maximum: 1_000_000,
    sentence:
      'Maximum requests per second of one source address at the onboarding proxy; 0 means no limit.',
  }),
  trustedProxies: integer({
    variable: 'KEYWRIGHT_TRUSTED_PROXIES',
    fallback: 0,
    minimum: 0,
    maximum: 16,
    sentence:
      'Number of trusted proxies in front of the service; the source address comes from their X-Forwarded-For entries.',
  }),
  headersTimeoutMs: integer({
    variable: 'KEYWRIGHT_HEADERS_TIMEOUT_MS',
    fallback: 10_000,
    minimum: 100,
    maximum: 600_000,
    sentence: 'Longest time for a client to send the headers of a request.',
  }),
  requestTimeoutMs: integer({
    variable: 'KEYWRIGHT_REQUEST_TIMEOUT_MS',
    fallback: 30_000,
    minimum: 100,
    maximum: 600_000,
    sentence:
      'Longest time for a client to send a whole request, and again to read the answer; raised if the largest body needs longer at the minimum rate.',
  }),
  lameDuckMs: optionalInteger({
    variable: 'KEYWRIGHT_LAME_DUCK_MS',
    absent: `\`${lameDuckBehindProxyMs}\` behind trusted proxies (\`KEYWRIGHT_TRUSTED_PROXIES\`), else \`0\``,
    minimum: 0,
    maximum: 600_000,
    sentence:
      'Time after the signal to stop in which the service still accepts requests but reports that it is not ready; see docs/failover.md.',
  }),
  drainTimeoutMs: integer({
    variable: 'KEYWRIGHT_DRAIN_TIMEOUT_MS',
    fallback: 10_000,
    minimum: 0,
    maximum: 600_000,
    sentence: 'Time for requests in flight to finish when the service stops.',
  }),
  livenessMaximumAgeMs: integer({
    variable: 'KEYWRIGHT_LIVENESS_MAXIMUM_AGE_MS',
    fallback: 3_600_000,
    minimum: 1000,
    maximum: maximumLivenessMs,
    sentence: 'Maximum age of the `timestampMs` of an activity request.',
  }),
  livenessMaximumAheadMs: integer({
    variable: 'KEYWRIGHT_LIVENESS_MAXIMUM_AHEAD_MS',
    fallback: 300_000,
    minimum: 0,
    maximum: maximumLivenessMs,
    sentence:
      'Maximum time that the `timestampMs` of an activity request may be ahead of the clock.',
  }),
  oidcIssuers: optionalIssuers({
    variable: 'KEYWRIGHT_OIDC_ISSUERS',
    absent: 'every issuer at a public address',
    sentence: 'Issuers whose OIDC tokens the service accepts, besides its own.',
  }),
  ...compatibilitySettings,
  oauth2Endpoints: optionalAddresses({
    variable: 'KEYWRIGHT_OAUTH2_ENDPOINTS',
    absent: 'none',
    sentence: 'Addresses to use in place of the endpoints of OAuth 2.0 providers, for tests.',
  }),
  allowPrivateTargets: toggle({
    variable: 'KEYWRIGHT_ALLOW_PRIVATE_TARGETS',
    fallback: false,
    sentence:
      'Allows outgoing requests over `http` and to private and loopback addresses, for development and tests.',
  }),
  ...messageSettings,
  compatibleHeaders: toggle({
    variable: 'KEYWRIGHT_COMPATIBLE_HEADERS',
    fallback: true,
    sentence: 'Also sends webhooks and their key set under the names that public clients read.',
  }),
  ...webhookSettings,
  chains: chainsSetting(),
  webhookRetentionDays: integer({
    variable: 'KEYWRIGHT_WEBHOOK_RETENTION_DAYS',
    fallback: 30,
    minimum: 1,
    maximum: 3650,
    sentence:
      'Time during which the service stores finished webhook deliveries, for lists and redelivery.',
  }),
} as const;

type Table = typeof settingsTable;
export type Settings = { readonly [Name in keyof Table]: Table[Name]['fallback'] };

/** Faults of the settings, as sentences to print. */
export class SettingsError extends Error {
  /** The command that lists the known settings. */
  readonly help: string;

  constructor(complaints: readonly string[], help = 'keywright serve --help') {
    super(complaints.join('\n'));
    this.name = 'SettingsError';
    this.help = help;
  }
}

/**
 * Reads the settings from the environment and from flags (`--port 8080` or `--port=8080`). Raises
 * SettingsError with all complaints at once: unknown names with the nearest known name, and invalid values.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Settings;
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Readonly<Record<string, unknown>> {
  const complaints: string[] = [];
  const given = new Map<string, Given>();
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || value === undefined) continue;
    if (rowsByVariable.has(variable)) given.set(variable, { shownAs: variable, value });
    else if (!namesOfClient.includes(variable)) {
      const known = [...rowsByVariable.keys(), ...namesOfClient];
      complaints.push(unknown('setting', variable, known));
    }
  }
  for (const [variable, flag] of readFlags(flags, complaints)) given.set(variable, flag);

  const settings = Object.fromEntries(
    Object.entries<Setting<unknown>>(settingsTable).map(([name, row]) => {
      const found = given.get(row.variable);
      if (found === undefined) return [name, row.fallback];
      const value = row.read(found.value);
      if (value === undefined) {
        const fault = row.faultOf?.(found.value);
        const got = row.isSecret === true ? '' : `, got \`${found.value}\``;
        const why = fault === undefined ? got : ` (${fault})`;
        complaints.push(`${found.shownAs}: expected ${row.expected}${why}`);
      }
      return [name, value];
    }),
  );
  if (complaints.length > 0) throw new SettingsError(complaints);
  return settings;
}

/** Returns the command-line flag of an environment variable: `KEYWRIGHT_DATA_DIR` → `--data-dir`. */
export function flagOf(variable: string): string {
  return `--${variable.slice(prefix.length).toLowerCase().replaceAll('_', '-')}`;
}

const prefix = 'KEYWRIGHT_';

type Given = { readonly shownAs: string; readonly value: string };

const rowsByVariable: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values<Setting<unknown>>(settingsTable).map((row) => [row.variable, row]),
);

/** Variables of other commands, which this table does not read. */
const namesOfClient: readonly string[] = clientVariables.map(({ variable }) => variable);

/** Reads values of flags by variable. Adds complaints about unknown, incomplete and repeated flags. */
function readFlags(flags: readonly string[], complaints: string[]): ReadonlyMap<string, Given> {
  const variables = new Map([...rowsByVariable.keys()].map((name) => [flagOf(name), name]));
  const found = new Map<string, Given>();
  for (let i = 0; i < flags.length; i += 1) {
    const [flag = '', ...rest] = (flags[i] ?? '').split('=');
    const variable = variables.get(flag);
    if (variable === undefined) {
      complaints.push(unknown('flag', flag, [...variables.keys()]));
      // The word after an unknown flag is probably its value, not another mistake.
      if (rest.length === 0 && !(flags[i + 1] ?? '--').startsWith('--')) i += 1;
      continue;
    }
    if (rest.length === 0) i += 1;
    const value = rest.length === 0 ? flags[i] : rest.join('=');
    if (value === undefined) complaints.push(`${flag}: expected a value after it`);
    else if (found.has(variable)) complaints.push(`${flag}: given twice`);
    else found.set(variable, { shownAs: flag, value });
  }
  return found;
}

function unknown(kind: string, name: string, known: readonly string[]): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: editDistance(name.slice(0, 100), candidate) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
  return `${name}: unknown ${kind}, the nearest known one is ${nearest.candidate}`;
}
