import { base64url } from '../core/base/bytes.ts';
import type { ExternalResponse, ExternalServices } from '../core/external/external_services.ts';

/**
 * Returns the services, where the same call is made once however often its request is decided again: an
 * authorization code is valid for one exchange.
 */
export function fetchOnce(external: ExternalServices): ExternalServices {
  const responses = new Map<string, Promise<ExternalResponse>>();
  return {
    ...external,
    fetch: (request) => {
      const { url, method, headers, body } = request;
      const key = JSON.stringify([url, method, headers, base64url(body)]);
      return responses.getOrInsertComputed(key, () => external.fetch(request));
    },
  };
}
