// Parses the request headers that the service uses.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fail } from '../../core/errors/errors.ts';
import type { Source } from '../admission/rate_limit.ts';

/** A header as it was sent, its name in lower case. */
type Header = { readonly name: string; readonly value: string };

/** The headers that authenticate a request. Of API requests, only these reach the enclave. */
const authenticationHeaders: ReadonlySet<string> = new Set([
  'x-stamp',
  'x-stamp-webauthn',
  'x-stamp-attested',
  'x-session',
]);

/** The headers of a request to the onboarding proxy. */
const proxyHeaders: ReadonlySet<string> = new Set([
  'x-auth-proxy-config-id',
  'x-captcha-token',
  'origin',
]);

/**
 * Returns the authentication headers among raw headers (name, value, name, value …), every occurrence, so
 * that the verifier can require exactly one.
 */
export function authenticationHeadersOf(rawHeaders: readonly string[]): Header[] {
  return headersNamed(authenticationHeaders, rawHeaders);
}

/** Returns true if raw headers contain an authentication header. */
export function isStamped(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (authenticationHeaders.has((rawHeaders[i] ?? '').toLowerCase())) return true;
  }
  return false;
}

/** Returns the headers of the onboarding proxy among raw headers. */
export function proxyHeadersOf(rawHeaders: readonly string[]): Header[] {
  return headersNamed(proxyHeaders, rawHeaders);
}

function headersNamed(names: ReadonlySet<string>, rawHeaders: readonly string[]): Header[] {
  const found: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (names.has(name)) found.push({ name, value: rawHeaders[i + 1] ?? '' });
  }
  return found;
}

/**
 * Returns the kind of a submit by its header `Dry-Run`. Values other than `true` and `false` are refused, so
 * that no test executes by accident. The signed body takes precedence. Raises `header_invalid`.
 */
export function submitKindOf(
  given: string | readonly string[] | undefined,
): 'submit' | 'dry_run' | 'no_dry_run' {
  if (given === undefined) return 'submit';
  if (given === 'true') return 'dry_run';
  if (given === 'false') return 'no_dry_run';
  return fail('header_invalid', { header: 'Dry-Run', expected: '`true` or `false`' });
}

/**
 * Returns the seconds for which a caller prefers to wait (RFC 7240 section 4.3), 0 without a preference. By
 * the standard, malformed and unknown preferences are ignored, and the first of a name counts.
 */
export function waitSecondsOf(given: string | readonly string[] | undefined): number {
  if (given === undefined) return 0;
  const preferences = [given].flat().join(',').split(',');
  for (const preference of preferences) {
    const [word = ''] = preference.split(';');
    const [name = '', value = ''] = word.split('=').map((part) => part.trim());
    if (name.toLowerCase() !== 'wait') continue;
    const [, seconds] = /^"?(\d{1,9})"?$/.exec(value) ?? [];
    return Number(seconds ?? 0);
  }
  return 0;
}

/** Returns the caller's `X-Request-Id` if it is well-formed, else a new UUID. */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The first value of a header. */
export function singleHeader(
  { headers }: { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  name: string,
): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Returns the source of a request. */
export function sourceIn(request: Pick<IncomingMessage, 'headers' | 'socket'>): Source {
  const forwardedFor = request.headers['x-forwarded-for'];
  const { remoteAddress } = request.socket;
  return { remoteAddress, forwardedFor, isForwarded: isForwarded(request.headers) };
}

/** Returns true if a proxy declares that it forwards a request. */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined);
}

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Headers of an answer that pages of other origins may read. */
export const exposedHeaders =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, Retry-After, Preference-Applied';

/** Headers that browsers may send from other origins, without cookies or other ambient authority. */
export const preflightHeaders = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Content-Type, X-Stamp, X-Stamp-Webauthn, X-Stamp-Attested, X-Session, X-Client-Version, X-Request-Id, Dry-Run, Prefer, Traceparent',
  'access-control-max-age': '86400',
} as const;

/** Preflight headers of the onboarding proxy; its answers name the allowed pages. */
export const proxyPreflightHeaders = {
  ...preflightHeaders,
  'access-control-allow-headers':
    'Content-Type, X-Auth-Proxy-Config-ID, X-Captcha-Token, X-Client-Version, X-Request-Id, Traceparent',
} as const;
