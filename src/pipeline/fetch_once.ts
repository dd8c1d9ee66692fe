import { base64url } from '../core/base/bytes.ts';
import type { ExternalResponse, ExternalServices } from '../core/external/external_services.ts';
import type { Json } from '../core/schema/json.ts';
import { createChainLookups } from './chain_lookups.ts';
import type { Mode } from './concurrency.ts';

/** Lifetime of a chain's answers within one request. */
const fillLifeMs = 1_000;

/**
 * Returns the services for one request. Repeated decisions make the same call only once, because an
 * authorization code is valid for one exchange. The answer of a chain is valid for a second. The services of
 * `serialized`, used after a wait in the line, wait for no node: without a valid answer they raise
 * `LookupNeededError`. Each such error doubles the time for which they accept an answer.
 */
export function fetchOnce(
  external: ExternalServices,
  clock: () => number,
): Readonly<Record<Mode, ExternalServices>> {
  const responses = new Map<string, Promise<ExternalResponse>>();
  const keySets = new Map<string, Promise<Json>>();
  const targets = new Map<string, Promise<string | undefined>>();
  const { remembered, ...asked } = createChainLookups(external, {
    clock,
    lifeMs: fillLifeMs,
    maximum: 16,
  });
  const optimistic: ExternalServices = {
    ...external,
    ...asked,
    issuerKeys: (issuer, keyId) =>
      keySets.getOrInsertComputed(JSON.stringify([issuer, keyId]), () =>
        external.issuerKeys(issuer, keyId),
      ),
    refusedTarget: (url) => targets.getOrInsertComputed(url, () => external.refusedTarget(url)),
    fetch: (request) => {
      const { url, method, headers, body } = request;
      const key = JSON.stringify([url, method, headers, base64url(body)]);
      return responses.getOrInsertComputed(key, () => external.fetch(request));
    },
  };
  return { optimistic, serialized: { ...optimistic, ...remembered } };
}
