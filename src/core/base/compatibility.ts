// Differences between the public clients and the specification.

import { utf8 } from './bytes.ts';

/** The fixed `info` under which the public clients seal and open every HPKE bundle (RFC 9180). */
export const bundleInfo: Uint8Array = utf8('turnkey_hpke');

/** The headers of a request that describe its client. */
type ClientHeaders = {
  /** Value of `X-Client-Version`. */
  readonly clientVersion: string | undefined;
  /** Value of `User-Agent`. */
  readonly userAgent: string | undefined;
};

/** The protobuf JSON form that the public clients' decoders declare. */
export type TimestampObject = { readonly seconds: string; readonly nanos: string };

/**
 * Returns true if a caller expects `createdAt` and `updatedAt` of activities as Timestamp objects. The
 * specification says string; the typed clients refuse to decode one. All of them name themselves:
 * by `X-Client-Version`, the Rust client by its user agent.
 */
export function wantsTimestampObjects({ clientVersion, userAgent }: ClientHeaders): boolean {
  return clientVersion !== undefined || (userAgent ?? '').startsWith('turnkey-rust-client/');
}

/**
 * A time (milliseconds since 1970) in the form of answers: RFC 3339 in UTC with milliseconds, or a Timestamp
 * object whose `nanos` is the part below the second. Throws `RangeError` before 1970 and after 9999, which no
 * stored time is.
 */
export function wireTimestamp(ms: number, asObject: boolean): string | TimestampObject {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > lastTimeMs) {
    throw new RangeError('expected a time from 1970 to 9999');
  }
  if (asObject) return timestampObject(ms);
  // The two times of a new activity are equal, and so are those of other activities of the millisecond.
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

let last = { ms: 0, text: new Date(0).toISOString() };

/** A point in time as query results have it: whole seconds, and the rest in nanoseconds. */
export function timestampObject(ms: number): TimestampObject {
  return { seconds: String(Math.floor(ms / 1000)), nanos: String((ms % 1000) * 1_000_000) };
}

/**
 * Before the names of webhook headers. The specification has one family; verifiers of the public
 * clients read another, with the same values.
 */
export function webhookHeaderPrefixes(compatible: boolean): readonly string[] {
  return compatible ? ['X-Service-', 'X-Turnkey-'] : ['X-Service-'];
}

/** Before the names of those members of the webhook key set that no standard names. */
export function keySetMemberPrefixes(compatible: boolean): readonly string[] {
  return compatible ? ['service_', 'turnkey_'] : ['service_'];
}

/** The kind of an activity that clients spell in two ways: without its underscore it is the same. */
export function activityKindOf(spelled: string): string {
  return spelled === 'ETH_UNDELEGATE7702' ? 'ETH_UNDELEGATE_7702' : spelled;
}

/** 9999-12-31T23:59:59.999Z, the last that RFC 3339 can spell. */
const lastTimeMs = 253_402_300_799_999;
