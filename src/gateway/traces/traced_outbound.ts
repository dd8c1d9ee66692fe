// Traced calls to other services, which receive the span of the call to continue the trace.

import type { Outbound } from '../outbound/outbound.ts';
import type { Tracing } from './tracing.ts';

/** Returns `send` with a span for each call. The span contains neither the address nor the sent data. */
export function tracedSend(
  send: Outbound['send'],
  tracing: Tracing,
  purpose: string,
): Outbound['send'] {
  return async (request) => {
    const span = tracing.call(purpose);
    if (span === undefined) return send(request);
    const outcome = await send({ ...request, headers: { ...request.headers, ...span.headers } });
    span.end(outcome);
    return outcome;
  };
}
