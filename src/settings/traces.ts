// Settings of the traces.

import { optionalSecret, ratio, toggle } from './kinds.ts';

export const tracesSettings = {
  tracesUrl: optionalSecret({
    variable: 'KEYWRIGHT_TRACES_URL',
    expected: '`https://host/v1/traces` or `http://host/v1/traces`',
    absent: 'no traces',
    sentence:
      'Address of a collector to which traces are sent (OTLP over HTTP); see docs/observability.md.',
  }),
  tracesToken: optionalSecret({
    variable: 'KEYWRIGHT_TRACES_TOKEN',
    expected: 'a text',
    absent: 'none is sent',
    sentence: 'Bearer token for that address.',
  }),
  tracesRatio: ratio({
    variable: 'KEYWRIGHT_TRACES_RATIO',
    fallback: 1,
    sentence: 'Share of the requests and outgoing calls that are traced.',
  }),
  tracesFollowCallers: toggle({
    variable: 'KEYWRIGHT_TRACES_FOLLOW_CALLERS',
    fallback: false,
    sentence:
      'Traces requests whose `traceparent` is sampled, and no others; only for services without untrusted callers.',
  }),
} as const;
