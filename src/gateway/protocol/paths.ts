// All paths of the service.

import { callPaths } from '../../core/base/call_paths.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';

type CallKind = keyof typeof callPaths;

/** The API and the onboarding proxy. */
export type HttpPart = 'api' | 'proxy';

/** The calls by `POST`: the paths before the name of an operation, and their routes. */
export const calls = (['submit', 'query', 'proxy'] as const).map((kind) => ({
  kind,
  path: callPaths[kind],
  route: `${callPaths[kind]}:operation`,
  part: kind === 'proxy' ? ('proxy' as const) : ('api' as const),
}));

/** Path at which a sealed service receives shares of the root key. */
export const unsealPath = '/unseal';
export const inboxPath = '/dev/inbox';
export const webhookKeySetPath = '/public/v1/discovery/webhooks/jwks';
/** Paths of the log: its checkpoint, a policy that names it, and its tiles. */
export const logPrefix = '/log/';
/** Paths of the enclave's documents. OpenID Connect Discovery defines the first two. */
export const discoveryDocuments = {
  '/.well-known/openid-configuration': 'issuerConfiguration',
  '/.well-known/jwks.json': 'issuerKeySet',
  '/public/v1/discovery/keys': 'serviceKeys',
} as const satisfies Record<string, keyof AnswerOf<EnclaveMessages['discovery']>>;

export const probes: readonly string[] = ['/health/live', '/health/ready'];
const documents: readonly string[] = [
  ...['/openapi.json', webhookKeySetPath],
  ...[`${logPrefix}checkpoint`, `${logPrefix}policy`],
  ...Object.keys(discoveryDocuments),
];
const maximumShownCharacters = 200;

/**
 * Returns the methods of a path for these parts, in the form of the Allow header; undefined for an unknown
 * path.
 */
export function methodsOf(path: string, serves: readonly HttpPart[]): string | undefined {
  const { part } = callOf(path);
  if (part !== undefined) return serves.includes(part) ? 'POST' : undefined;
  const read = serves.includes('api') ? [...probes, ...documents] : probes;
  return read.includes(path) ? 'GET, HEAD' : undefined;
}

/** Returns the call of a path, or undefined. */
export function callOf(path: string): {
  readonly kind: CallKind | 'other';
  readonly operation: string;
  readonly part?: HttpPart;
} {
  for (const { kind, path: prefix, part } of calls) {
    const operation = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    if (operation !== '' && !operation.includes('/')) return { kind, operation, part };
  }
  return { kind: 'other', operation: '' };
}

/**
 * Returns the call of a request. `spelled` is the call of its path. A path with escapes has several
 * spellings, so its route decides.
 */
export function callIn(
  request: {
    readonly route: string | undefined;
    readonly params: unknown;
    readonly url: string;
  },
  spelled: ReturnType<typeof callOf>,
): ReturnType<typeof callOf> {
  const { params, url } = request;
  // A path without escapes has one spelling.
  if (spelled.part !== undefined && !url.includes('%')) return spelled;
  const call = calls.find(({ route }) => route === request.route);
  const isNamed = typeof params === 'object' && params !== null && 'operation' in params;
  if (call === undefined || !isNamed) return spelled;
  return { ...call, operation: String(params.operation) };
}

/** Returns the path of a request's URL, without its query. */
export function pathOf(url: string): string {
  const queryStart = url.indexOf('?');
  return queryStart < 0 ? url : url.slice(0, queryStart);
}

/** Returns the part of a path that an error message quotes. */
export function shownPath(url: string): string {
  return pathOf(url).slice(0, maximumShownCharacters);
}
