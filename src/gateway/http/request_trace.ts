import type { IncomingHttpHeaders } from 'node:http';
import { singleHeader } from '../protocol/request_headers.ts';
import { noTracing, type Tracing } from '../traces/tracing.ts';
import type { RequestRecord } from './request_log.ts';

/** Begins the record and trace of a request. Probes, pages and documents are not traced. */
export function beginRecord(
  call: { readonly kind: string; readonly operation: string },
  request: { readonly headers: IncomingHttpHeaders },
  tracing: Tracing = noTracing,
): RequestRecord {
  const { kind, operation } = call;
  const startMs = performance.now();
  const trace =
    kind === 'other' ? undefined : tracing.request(startMs, singleHeader(request, 'traceparent'));
  return { kind, operation, startMs, heldMs: 0, outcome: {}, trace };
}
