// Forms that public clients need and that differ from the specification, such as Timestamp objects.

import { utf8 } from './bytes.ts';

/** The fixed `info` of all HPKE bundles of the public clients (RFC 9180). */
export const bundleInfo: Uint8Array = utf8('turnkey_hpke');

/** Forms of the times of activities: chosen by the headers of the client, or objects for all clients. */
export const activityTimesChoices = ['by-client', 'objects'] as const;

export type ActivityTimes = (typeof activityTimesChoices)[number];

/** The headers of a request that describe its client. */
type ClientHeaders = {
  /** Value of `X-Client-Version`. */
  readonly clientVersion: string | undefined;
  /** Value of `User-Agent`. */
  readonly userAgent: string | undefined;
};

/** A protobuf Timestamp in JSON, as the decoders of public clients expect it. */
export type TimestampObject = { readonly seconds: string; readonly nanos: string };

/**
 * Returns true if a caller expects `createdAt` and `updatedAt` of activities as Timestamp objects. The
 * specification requires text, which typed clients reject. They send `X-Client-Version`; the Rust client
 * sends a user agent instead. The operator may choose objects for all callers, since some clients send
 * neither.
 */
export function wantsTimestampObjects(
  { clientVersion, userAgent }: ClientHeaders,
  times: ActivityTimes,
): boolean {
  return (
    times === 'objects' ||
    clientVersion !== undefined ||
    (userAgent ?? '').startsWith('turnkey-rust-client/')
  );
}

/**
 * Formats a time (milliseconds since 1970) for answers: RFC 3339 in UTC with milliseconds, or a Timestamp
 * object. Throws `RangeError` before 1970 and after 9999, which no stored time is.
 */
export function wireTimestamp(ms: number, asObject: boolean): string | TimestampObject {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > lastTimeMs) {
    throw new RangeError('expected a time from 1970 to 9999');
  }
  if (asObject) return timestampObject(ms);
  // Successive calls often format the same millisecond, such as both times of a new activity.
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

let last = { ms: 0, text: new Date(0).toISOString() };

/** Returns a time in the form of query results: whole seconds, and the rest in nanoseconds. */
export function timestampObject(ms: number): TimestampObject {
  return { seconds: String(Math.floor(ms / 1000)), nanos: String((ms % 1000) * 1_000_000) };
}

/** Returns both times of a record in the form of query results. */
export function timestampsOf({ createdAtMs, updatedAtMs }: Times) {
  return { createdAt: timestampObject(createdAtMs), updatedAt: timestampObject(updatedAtMs) };
}

type Times = { readonly createdAtMs: number; readonly updatedAtMs: number };

/**
 * Returns the prefixes of webhook headers. The specification has one family; public clients verify another
 * with the same values.
 */
export function webhookHeaderPrefixes(compatible: boolean): readonly string[] {
  return compatible ? ['X-Service-', 'X-Turnkey-'] : ['X-Service-'];
}

/** Returns the prefixes of members of the webhook key set that no standard defines. */
export function keySetMemberPrefixes(compatible: boolean): readonly string[] {
  return compatible ? ['service_', 'turnkey_'] : ['service_'];
}

/** Returns the service's name of a kind that clients spell without the last underscore. */
export function activityKindOf(spelled: string): string {
  return spelled === 'ETH_UNDELEGATE7702' ? 'ETH_UNDELEGATE_7702' : spelled;
}

/** 9999-12-31T23:59:59.999Z, the last time of RFC 3339. */
const lastTimeMs = 253_402_300_799_999;
