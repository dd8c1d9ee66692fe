// Sends batches of audit lines to a URL by POST, one after the other.

import type { Outbound } from '../outbound/outbound.ts';
import { type AuditSink, AuditSinkError } from './sink.ts';

const urlTimeoutMs = 10_000;
const maximumAnswerBytes = 64 * 1024;

/** Creates a destination that answers 2xx once it has stored the lines. Any other answer causes a retry. */
export function createUrlSink({
  url,
  token,
  outbound,
}: {
  readonly url: string;
  /** Optional bearer token. */
  readonly token: string | undefined;
  readonly outbound: Outbound;
}): AuditSink {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    kind: 'url',
    // Omits path and query, which may contain a secret.
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
