// The published keys of identity providers (OpenID Connect Discovery 1.0 section 4, RFC 7517), fetched and
// cached. They are evidence for the enclave, which verifies the token with them.

import { shownIssuer } from '../../core/auth/shown_issuer.ts';
import { textOfUtf8 } from '../../core/base/bytes.ts';
import { createGroupedCache, createRecentCache } from '../../core/base/lru_cache.ts';
import { assert, fail, ServiceError } from '../../core/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../../core/schema/json.ts';
import { strictJsonObject } from '../../core/schema/strict_json.ts';
import type { Outbound } from './outbound.ts';
import type { OutboundAnswer } from './request.ts';

/** A published key set (JWKS). */
type IssuerKeys = { readonly keys: readonly Json[] };

export type KeysOf = (issuer: string, keyId?: string) => Promise<IssuerKeys>;

export const issuerKeyLimits = {
  /** Maximum cached issuers. With the size of a document, this bounds the cached key sets to 125 MiB. */
  issuers: 500,
  /**
   * Concurrent fetches of doubtful issuers: those without cached keys, and those that were slow or failed
   * last time. Tokens can name any such issuer, and all other requests keep places.
   */
  doubtfulIssuers: 32,
  /**
   * Maximum concurrent fetches of all issuers, because an issuer is doubtful only after its first slow fetch.
   * The bound is below that of all outgoing requests, so captchas and codes of providers get through.
   */
  askedIssuers: 96,
  /** Maximum fetches of one site, because the owner of a host name can name any number of issuers. */
  askedOfSite: 8,
  /** Maximum fetches of doubtful issuers of one site, which may have several owners, as in a cloud. */
  doubtfulOfSite: 4,
  /** An issuer counts as slow if its keys take longer. */
  slowMs: 1000,
  keys: 100,
  documentBytes: 256 * 1024,
  /** Timeout of each of the two documents. */
  timeoutMs: 5000,
  /** Lifetime of keys if the issuer states none; a stated lifetime is limited to the bounds. */
  defaultMs: 10 * 60_000,
  minimumMs: 60_000,
  maximumMs: 24 * 3_600_000,
  /** Minimum interval between two fetches because of missing keys. */
  refreshMs: 60_000,
  /** Retention of a failure. */
  failureMs: 10_000,
};

type CachedKeys = {
  /** The document as received, since parsed keys may take more than twenty times as much. */
  readonly document: Uint8Array;
  readonly keyIds: ReadonlySet<string>;
  readonly fetchedAtMs: number;
  readonly untilMs: number;
};
type PendingFetch = {
  readonly site: string;
  readonly isDoubtful: boolean;
  readonly keys: Promise<CachedKeys>;
};
type Failed = { readonly error: ServiceError; readonly untilMs: number };

/**
 * Creates the lookup of issuers' keys. `clock` is monotonic, in milliseconds. `acceptedIssuers` are compared
 * exactly. Default: any public issuer.
 *
 * Keys are never used after their lifetime, even if their issuer is unavailable, because it may have revoked
 * one. The lookup raises `oidc_issuer_not_accepted`, `oidc_issuer_unavailable` and `overloaded`.
 */
export function createIssuerKeys(options: {
  readonly outbound: Pick<Outbound, 'send'>;
  readonly clock: () => number;
  readonly acceptedIssuers?: readonly string[] | undefined;
}): { readonly keysOf: KeysOf } {
  const { outbound, clock, acceptedIssuers } = options;
  const kept = createGroupedCache<CachedKeys>(issuerKeyLimits.issuers, siteOf);
  // A separate cache, so that unknown issuers cannot displace known ones.
  const failures = createRecentCache<Failed>(issuerKeyLimits.issuers);
  const attempts = createRecentCache<number>(issuerKeyLimits.issuers);
  /** The last fetch of each issuer: true if it was slow or failed. */
  const slow = createGroupedCache<boolean>(issuerKeyLimits.issuers, siteOf);
  const underWay = new Map<string, PendingFetch>();

  const isDoubtful = (issuer: string): boolean =>
    kept.get(issuer) === undefined || slow.get(issuer) === true;

  /** One fetch at a time for each issuer; concurrent callers share it. */
  function refreshed(issuer: string): Promise<CachedKeys> {
    const running = underWay.get(issuer);
    if (running !== undefined) return running.keys;
    const asked = { site: siteOf(issuer), isDoubtful: isDoubtful(issuer) };
    if (!hasPlace(asked, [...underWay.values()])) return fail('overloaded');
    const askedAtMs = clock();
    const keys = fetchKeys(outbound, clock, issuer)
      .then((fetched) => {
        kept.set(issuer, fetched);
        slow.set(issuer, clock() - askedAtMs >= issuerKeyLimits.slowMs);
        return fetched;
      })
      .catch((error: unknown) => {
        // An overload of this service says nothing about the issuer.
        if (error instanceof ServiceError && error.code !== 'overloaded') {
          failures.set(issuer, { error, untilMs: clock() + issuerKeyLimits.failureMs });
          slow.set(issuer, true);
        }
        throw error;
      })
      .finally(() => {
        attempts.set(issuer, clock());
        underWay.delete(issuer);
      });
    underWay.set(issuer, { ...asked, keys });
    return keys;
  }

  /** Fetches keys again if a fresh key set lacks the requested key, at most once a minute. */
  async function renewed(issuer: string, keys: CachedKeys): Promise<CachedKeys> {
    const lastMs = attempts.get(issuer) ?? keys.fetchedAtMs;
    const isWaiting = clock() - lastMs < issuerKeyLimits.refreshMs;
    if (isWaiting && !underWay.has(issuer)) return keys;
    try {
      return await refreshed(issuer);
    } catch (error) {
      const isFresh = clock() < keys.untilMs;
      if (error instanceof ServiceError && isFresh) return keys;
      throw error;
    }
  }

  return {
    keysOf: async (issuer, keyId) => {
      if (acceptedIssuers !== undefined && !acceptedIssuers.includes(issuer)) {
        notAccepted(issuer);
      }
      const known = kept.get(issuer);
      if (known !== undefined && clock() < known.untilMs) {
        const isThere = keyId === undefined || known.keyIds.has(keyId);
        return published(isThere ? known : await renewed(issuer, known));
      }
      const failure = failures.get(issuer);
      if (failure !== undefined && clock() < failure.untilMs) throw failure.error;
      return published(await refreshed(issuer));
    },
  };
}

/** Returns true if one more issuer may be fetched concurrently. */
function hasPlace(
  { site, isDoubtful }: Omit<PendingFetch, 'keys'>,
  underWay: readonly Omit<PendingFetch, 'keys'>[],
): boolean {
  const { askedIssuers, doubtfulIssuers, askedOfSite, doubtfulOfSite } = issuerKeyLimits;
  const ofSite = underWay.filter((asked) => asked.site === site);
  if (underWay.length >= askedIssuers || ofSite.length >= askedOfSite) return false;
  const count = (all: typeof underWay) => all.filter((asked) => asked.isDoubtful).length;
  return !isDoubtful || (count(underWay) < doubtfulIssuers && count(ofSite) < doubtfulOfSite);
}

/**
 * Returns the group of issuers with one owner: the last two labels of the host name. Issuers without a host
 * name are one group.
 */
function siteOf(issuer: string): string {
  const host = URL.parse(issuer)?.hostname.replace(/\.$/, '') ?? '';
  const isName = /[a-z]/.test(host) && !host.startsWith('[');
  return isName ? host.split('.').slice(-2).join('.') : '';
}

async function fetchKeys(
  outbound: Pick<Outbound, 'send'>,
  clock: () => number,
  issuer: string,
): Promise<CachedKeys> {
  // Discovery section 4.1: a `/` at the end is removed before the path is appended.
  const url = URL.parse(issuer);
  if (url === null || /[?#]/.test(issuer)) return notAccepted(issuer);
  const discovery = await fetchDocument(
    outbound,
    issuer,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    // The caller chose this address, so a retry would not help.
    () => notAccepted(issuer),
  );
  // Section 4.3 requires an exact match, so that no provider can impersonate another.
  if (discovery.document['issuer'] !== issuer) {
    return unavailable(issuer, 'its configuration is that of another issuer');
  }
  const { jwks_uri: address } = discovery.document;
  if (typeof address !== 'string')
    return unavailable(issuer, 'its configuration has no `jwks_uri`');
  const refused = (): never => unavailable(issuer, 'the address of its keys is not public');
  const { document, answer } = await fetchDocument(outbound, issuer, address, refused);
  const { keys } = document;
  if (!Array.isArray(keys) || keys.length > issuerKeyLimits.keys) {
    return unavailable(issuer, `it has no set of at most ${issuerKeyLimits.keys} keys`);
  }
  const keyIds = new Set(keys.map(keyIdOf).filter((keyId) => keyId !== undefined));
  const fetchedAtMs = clock();
  const untilMs = fetchedAtMs + lifetimeMs(answer);
  return { document: answer.body, keyIds, fetchedAtMs, untilMs };
}

async function fetchDocument(
  outbound: Pick<Outbound, 'send'>,
  issuer: string,
  url: string,
  refused: () => never,
): Promise<{ readonly document: JsonObject; readonly answer: OutboundAnswer }> {
  const answer = await outbound.send({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: issuerKeyLimits.timeoutMs,
    maximumBytes: issuerKeyLimits.documentBytes,
  });
  if ('failure' in answer) {
    if (answer.failure === 'busy') fail('overloaded');
    return answer.failure === 'refused_target'
      ? refused()
      : unavailable(issuer, `the request failed (${answer.failure})`);
  }
  if (answer.status !== 200) return unavailable(issuer, `it answered with status ${answer.status}`);
  const document = strictJsonObject(answer.body);
  if (document === undefined) return unavailable(issuer, 'its answer is not a JSON object');
  return { document, answer };
}

/** Returns `max-age` minus the age in caches (RFC 9111 section 4.2), within the bounds of this service. */
function lifetimeMs({ headers }: OutboundAnswer): number {
  const directives = String(headers['cache-control'] ?? '').toLowerCase();
  const [, seconds] = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,10})/.exec(directives) ?? [];
  const isUncacheable = /(?:^|,)\s*no-(?:store|cache)\s*(?:,|=|$)/.test(directives);
  const age = /^\d{1,10}$/.exec(String(headers['age'] ?? ''));
  const statedMs = isUncacheable
    ? 0
    : seconds === undefined
      ? issuerKeyLimits.defaultMs
      : (Number(seconds) - Number(age?.[0] ?? 0)) * 1000;
  return Math.min(Math.max(statedMs, issuerKeyLimits.minimumMs), issuerKeyLimits.maximumMs);
}

function keyIdOf(key: Json): string | undefined {
  const keyId = isJsonObject(key) ? key['kid'] : undefined;
  return typeof keyId === 'string' ? keyId : undefined;
}

function published({ document }: CachedKeys): IssuerKeys {
  const parsed = parsedJson(textOfUtf8(document) ?? '');
  const keys = isJsonObject(parsed) ? parsed['keys'] : undefined;
  assert(Array.isArray(keys), 'what is kept was read before');
  return { keys };
}

function notAccepted(issuer: string): never {
  return fail('oidc_issuer_not_accepted', { issuer: shownIssuer(issuer) });
}

function unavailable(issuer: string, reason: string): never {
  return fail('oidc_issuer_unavailable', { issuer: shownIssuer(issuer), reason });
}
