// The audit trail at a URL: batches of lines by POST, one after the other.

import type { Outbound } from '../outbound/outbound.ts';
import { type AuditSink, AuditSinkError } from './sink.ts';

const urlTimeoutMs = 10_000;
const maximumAnswerBytes = 64 * 1024;

/** A destination that answers 2xx once it has the lines for good. Any other answer is tried again. */
export function createUrlSink({
  url,
  token,
  outbound,
}: {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string | undefined;
  readonly outbound: Outbound;
}): AuditSink {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    kind: 'url',
    // A path or a query may hold a secret.
    name: new URL(url).origin,
    write: async (body) => {
      const answer = await outbound.send({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...authorization },
        body,
        timeoutMs: urlTimeoutMs,
        maximumBytes: maximumAnswerBytes,
      });
      if ('failure' in answer) throw new AuditSinkError(`${answer.failure}: ${answer.detail}`);
      if (answer.status < 200 || answer.status > 299) {
        throw new AuditSinkError(`the destination answered ${answer.status}`);
      }
    },
    close: () => outbound.close(),
  };
}
