// The settings of webhook deliveries.

import { integer, toggle } from './kinds.ts';

export const webhookSettings = {
  webhookTimeoutMs: integer({
    variable: 'KEYWRIGHT_WEBHOOK_TIMEOUT_MS',
    fallback: 10_000,
    minimum: 100,
    maximum: 60_000,
    sentence: 'Longest time of one attempt at a webhook delivery.',
  }),
  webhookConcurrency: integer({
    variable: 'KEYWRIGHT_WEBHOOK_CONCURRENCY',
    fallback: 64,
    minimum: 1,
    maximum: 512,
    sentence:
      'Maximum webhook endpoints that receive a delivery at the same time, one delivery each.',
  }),
  webhookRetryHours: integer({
    variable: 'KEYWRIGHT_WEBHOOK_RETRY_HOURS',
    fallback: 168,
    minimum: 1,
    maximum: 720,
    sentence: 'Time during which the service retries a webhook delivery.',
  }),
  webhookRetryAfter: toggle({
    variable: 'KEYWRIGHT_WEBHOOK_RETRY_AFTER',
    fallback: false,
    sentence:
      'Retries a webhook delivery that was answered with 429 at the time in its `Retry-After` header.',
  }),
  webhookDisableHours: integer({
    variable: 'KEYWRIGHT_WEBHOOK_DISABLE_HOURS',
    fallback: 120,
    minimum: 0,
    maximum: 8760,
    sentence: 'Deactivates a webhook endpoint after failures for this time; 0 means never.',
  }),
} as const;
