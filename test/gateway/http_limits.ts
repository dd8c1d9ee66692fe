import { createRateLimits, type RateLimits } from '../../src/gateway/admission/rate_limit.ts';
import type { HttpLimits, HttpOptions } from '../../src/gateway/http/options.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { sampleDiscovery } from './fake_enclave.ts';

/** The default limits of a service, but with small bodies. */
export const testLimits: HttpLimits = {
  ...readSettings({}, []),
  bodyLimitBytes: 1_000,
  bodyMemoryBytes: 1_000_000,
};

/** Limits a source to one request a second, with a stopped clock. */
export function oneRequestOfSource(): RateLimits {
  const settings = {
    rateLimitOrganizationPerSecond: 0,
    rateLimitSourcePerSecond: 1,
    authProxyRateLimitSourcePerSecond: 0,
    rateLimitLocal: true,
    trustedProxies: 0,
  };
  return createRateLimits(
    settings,
    () => 0,
    () => undefined,
  );
}

/** Options of a server without a log and without a proxy, whose operations never answer. */
export const quietServer: HttpOptions = {
  ask: () => new Promise(() => undefined),
  notReady: () => [],
  discovery: sampleDiscovery,
  webhookKeySet: async () => Buffer.from('{"keys":[]}'),
  openApi: async () => ({ openapi: '3.1.0' }),
  log: () => undefined,
  metrics: noMetrics,
  limits: { ...testLimits, trustedProxies: 0 },
};
