// Requests per second of a source address and of an organization. Every process counts for itself.
// Programs on the same machine are only limited at the onboarding proxy, or by a setting, because tests and
// development send thousands of requests a second.
//
// The source is known before the body is read. An organization is charged only for requests whose answer
// from the enclave names it, which proves that a user of it, or of its parent, was authenticated. (Another
// status than 401 proves nothing: a malformed body is refused before its stamp is verified.) So a stranger
// who knows an organization's ID cannot spend its requests, and a rejected request is charged to its source.
// Requests in progress are charged with their answer, even beyond the limit. While an organization has no
// requests left, all requests that name it are rejected without a call to the enclave.

import { textOfUtf8 } from '../../core/base/bytes.ts';
import {
  blockAround,
  ipBlockText,
  isInBlock,
  parseIpAddress,
  parseIpBlock,
} from '../../core/base/ip_address.ts';
import { createRecentCache } from '../../core/base/lru_cache.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { type Bucket, type Buckets, type Budget, createBuckets } from './buckets.ts';

export type RateLimitSettings = {
  /** Requests per second; 0: no limit. */
  readonly rateLimitOrganizationPerSecond: number;
  /** Requests per second; 0: no limit. */
  readonly rateLimitSourcePerSecond: number;
  /** Requests per second to the onboarding proxy; 0: no limit. */
  readonly authProxyRateLimitSourcePerSecond: number;
  /** True if requests from this machine count like all others. */
  readonly rateLimitLocal: boolean;
  /** Number of proxies in front of this service that append to X-Forwarded-For. */
  readonly trustedProxies: number;
};

/** The origin of a request, according to the connection and the proxies before it. */
export type Source = {
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: string | readonly string[] | undefined;
  /** True if a proxy declares that it forwards the request. */
  readonly isForwarded?: boolean;
};

/** The limits that reject requests, as labels of a metric. */
export type RateLimitName = 'source' | 'organization' | 'probe';

/** Functions return undefined if their limit is off. */
export type RateLimits = {
  /** Charges the source. Raises `rate_limited`. */
  chargeSource(source: Source): Budget | undefined;
  /** Charges the source for a request to the onboarding proxy. Raises `rate_limited`. */
  chargeProxySource(source: Source): Budget | undefined;
  /** Charges the source for a health probe. Raises `rate_limited`. */
  chargeProbe(source: Source): Budget | undefined;
  /** Rejects a body that names an organization without remaining requests: raises `rate_limited`. */
  checkOrganization(body: Uint8Array, source: Source): Budget | undefined;
  /** Charges the organization that an answer names. */
  chargeOrganization(organizationId: string, source: Source): Budget | undefined;
};

/**
 * Calls the enclave at the expense of an organization. A held request calls several times and pays for each
 * call. Raises `rate_limited` if the organization has no requests left.
 */
export async function askOnAccount<Answer extends { readonly organizationId: string | undefined }>(
  rateLimits: RateLimits | undefined,
  { body, source }: { readonly body: Uint8Array; readonly source: Source },
  ask: () => Promise<Answer>,
  charged: (left: Budget | undefined) => void,
): Promise<Answer> {
  const named = rateLimits?.checkOrganization(body, source);
  const answer = await ask();
  const { organizationId } = answer;
  const isProven = organizationId !== undefined;
  charged(isProven ? rateLimits?.chargeOrganization(organizationId, source) : named);
  return answer;
}

/**
 * Charges a source for a request to the API or the onboarding proxy. Returns the budgets of the active
 * limits. Raises `rate_limited`.
 */
export function chargeSource(
  rateLimits: RateLimits | undefined,
  source: Source,
  isProxyCall: boolean,
): Budget[] {
  const left = rateLimits?.chargeSource(source);
  const leftAtProxy = isProxyCall ? rateLimits?.chargeProxySource(source) : undefined;
  return [left, leftAtProxy].filter((budget) => budget !== undefined);
}

/** A rejected request, and the time until the next one is allowed. */
export class RateLimitedError extends ServiceError {
  readonly budget: Budget;
  readonly retryAfterSeconds: number;

  constructor(bucket: Bucket) {
    super('rate_limited');
    this.name = 'RateLimitedError';
    this.budget = bucket;
    this.retryAfterSeconds = Math.max(1, Math.ceil(bucket.waitMs / 1000));
  }
}

/** Creates the limits of one process. `clock` is monotonic, in milliseconds. */
export function createRateLimits(
  settings: RateLimitSettings,
  clock: () => number,
  /** Called for every refusal. */
  refused: (limit: RateLimitName) => void,
): RateLimits {
  const limited = (perSecond: number) =>
    perSecond === 0 ? undefined : createBuckets(perSecond, clock);
  const sources = limited(settings.rateLimitSourcePerSecond);
  const organizations = limited(settings.rateLimitOrganizationPerSecond);
  const probes = limited(probesPerSecond);
  const proxySources = limited(settings.authProxyRateLimitSourcePerSecond);

  function charge(
    buckets: Buckets | undefined,
    source: Source,
    limit: RateLimitName = 'source',
  ): Budget | undefined {
    if (buckets === undefined) return undefined;
    const name = sourceOf(source, settings.trustedProxies);
    const bucket = buckets.look(name);
    if (bucket.remaining > 0) return buckets.take(name);
    refused(limit);
    throw new RateLimitedError(bucket);
  }

  const isExempt = (source: Source) => !settings.rateLimitLocal && isLocal(source);

  return {
    chargeSource: (source) => (isExempt(source) ? undefined : charge(sources, source)),
    chargeProxySource: (source) => charge(proxySources, source),
    chargeProbe: (source) => (isExempt(source) ? undefined : charge(probes, source, 'probe')),
    checkOrganization: (body, source) => {
      if (organizations === undefined || isExempt(source)) return undefined;
      // If no organization is limited, parsing a large body would cost more than it can save.
      if (body.length > alwaysReadBytes && !organizations.isAnyEmpty()) return undefined;
      const name = organizationNamedIn(body);
      if (name === undefined) return undefined;
      const bucket = organizations.look(name);
      if (bucket.remaining > 0) return bucket;
      refused('organization');
      throw new RateLimitedError(bucket);
    },
    chargeOrganization: (organizationId, source) =>
      isExempt(source) ? undefined : organizations?.take(organizationId),
  };
}

/** Maximum health probes of one source in a second. */
export const probesPerSecond = 500;

const alwaysReadBytes = 16 * 1024;

/** Returns true if a program on this machine sent a request, and not a proxy for another client. */
function isLocal({ remoteAddress, forwardedFor, isForwarded }: Source): boolean {
  if (forwardedFor !== undefined || isForwarded === true) return false;
  return networkOf(remoteAddress ?? '') === thisMachine;
}

/**
 * Returns the source to which a request is charged: its IPv4 address, or the /64 of its IPv6 address, because
 * one client usually has the whole /64. All loopback addresses are one source.
 */
export function sourceOf(source: Source, trustedProxies: number): string {
  return networkOf(addressOf(source, trustedProxies)) ?? 'unknown';
}

/**
 * Returns the address that a request came from; empty if it is unknown. With `trustedProxies` proxies, this
 * is the entry of X-Forwarded-For that the outermost of them added. The caller may have written the entries
 * before it.
 */
export function addressOf({ remoteAddress, forwardedFor }: Source, trustedProxies: number): string {
  if (forwardedFor === undefined || trustedProxies === 0) return remoteAddress ?? '';
  const entries = [forwardedFor ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .map((entry) => withoutPort(entry.trim()));
  const entry = entries[Math.max(0, entries.length - trustedProxies)];
  const believed = entry !== undefined && networkOf(entry) !== undefined;
  return believed ? entry : (remoteAddress ?? '');
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry) ?? [];
  return inBrackets ?? entry.replace(/^([\d.]+):\d{1,5}$/, '$1');
}

/** The source of requests from a loopback address. */
const thisMachine = '127.0.0.1/32';
const loopbackBlocks = ['127.0.0.0/8', '::1'].flatMap((text) => parseIpBlock(text) ?? []);

/** Returns an IPv4 address or the /64 of an IPv6 address, as a block; undefined for other texts. */
function networkOf(text: string): string | undefined {
  const known = networks.get(text);
  if (known !== undefined) return known;
  const network = readNetwork(text);
  if (network !== undefined && text.length <= maximumAddressUnits) networks.set(text, network);
  return network;
}

/** Cache of parsed addresses, because most requests come from few. */
const networks = createRecentCache<string>(1_000);
const maximumAddressUnits = 64;

function readNetwork(text: string): string | undefined {
  const [unzoned = ''] = text.split('%');
  const address = parseIpAddress(unzoned);
  if (address === undefined) return undefined;
  if (loopbackBlocks.some((block) => isInBlock(address, block))) return thisMachine;
  return ipBlockText(blockAround(address, address.family === 'IPv4' ? 32 : 64));
}

/** Parses the body as the enclave does, which rejects a body without an organization. */
function organizationNamedIn(body: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(textOfUtf8(body) ?? '');
    const isObject = typeof value === 'object' && value !== null && 'organizationId' in value;
    const organizationId = isObject ? value.organizationId : undefined;
    return typeof organizationId === 'string' ? organizationId.toLowerCase() : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
