// Traced e-mails. SMTP cannot carry the context of a trace.

import type { Tracing } from '../traces/tracing.ts';
import { type Carrier, CarrierError } from './carrier.ts';

/** Returns the carrier with a span for each attempt, which contains at most the code of a failure. */
export function tracedCarrier<Message>(
  { send }: Carrier<Message>,
  tracing: Tracing,
  purpose: string,
): Carrier<Message> {
  return {
    send: async (message, signal) => {
      const span = tracing.call(purpose);
      try {
        await send(message, signal);
      } catch (error) {
        span?.end({ failure: error instanceof CarrierError ? error.reason : 'unexpected error' });
        throw error;
      }
      span?.end({});
    },
  };
}
