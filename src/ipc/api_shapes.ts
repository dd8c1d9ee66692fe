// Shapes of API requests, answers and their metadata on the link.

import { newsKinds } from '../core/base/news.ts';
import { stageNames } from '../core/base/stages.ts';
import { boolean, bytes, list, number, omittable, oneOf, optional, struct, text } from './codec.ts';

/**
 * One API request: raw body bytes and the headers that authenticate it. Its kind is `dry_run` or
 * `no_dry_run` for a submit whose header `Dry-Run` is true or false.
 */
export const apiRequest = struct({
  requestId: text,
  kind: oneOf('submit', 'dry_run', 'no_dry_run', 'query', 'proxy'),
  operation: text,
  /** Headers that authenticate the request or name a proxy configuration, as sent; names in lower case. */
  headers: list(struct({ name: text, value: text })),
  /** True if the caller expects Timestamp objects on activities (see core/base/compatibility.ts). */
  timestampObjects: boolean,
  /** Address of the client, according to trusted proxies or the connection. */
  remoteAddress: text,
  body: bytes,
  /** The enclave does not begin the request after this time (milliseconds since 1970). */
  deadlineAtMs: omittable(number),
  /** The number with which `cancel` refers to the request; the gateway never reuses it. */
  cancelId: omittable(number),
  /** True to include the durations of the stages in the answer. */
  timed: omittable(boolean),
});
export const apiAnswer = struct({
  status: number,
  body: bytes,
  /** For logs and metrics, never a secret. */
  activityId: optional(text),
  organizationId: optional(text),
  errorCode: optional(text),
  /** The only origin whose pages may read the answer. Absent if all may read it. */
  allowedOrigin: optional(text),
  /** For a query whose caller may wait: its topic, and whether the answer has news. */
  news: omittable(struct({ kind: oneOf(...newsKinds), id: text, hasNews: boolean })),
  /** For logs: the authenticated user, its organization, and the ID of its credential. */
  asker: omittable(struct({ organizationId: text, userId: text, credentialId: text })),
  /** Present on request: the stages in their order, see core/base/stages.ts. */
  stages: omittable(list(struct({ stage: oneOf(...stageNames), at: number, lasts: number }))),
  /** The number of members of the request that the service does not know and left out. */
  ignoredMembers: omittable(number),
  /** Sent occasionally: how long the thread of the enclave has been busy since its start, in milliseconds. */
  busyMs: omittable(number),
});

/** Waiting changes and completed waits of one rank of the queues. */
const changeWaits = struct({ waiting: number, ended: number, waitedMs: number });

/** Metrics of a process. */
export const vitals = struct({
  residentBytes: number,
  heapUsedBytes: number,
  externalBytes: number,
  /** Delay of its event loop, 99th percentile, in microseconds. */
  lagP99Micros: number,
  lagMaximumMicros: number,
  /** Thousandths of the time during which its thread was busy. */
  busyPermille: number,
  /** API requests in progress. */
  requests: number,
  /** The number of requests that wait to read large rows. */
  largeReadsWaiting: number,
  /** Refusals since the start that were answered but not recorded. */
  unrecordedRefusals: number,
  changeWaits: struct({ first: changeWaits, users: changeWaits, strangers: changeWaits }),
});
