// The keys by which a service signs deliveries, as it publishes them.

import { type WebhookKeys, webhookKeys } from '../../client/webhooks.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { reasonOf } from '../service/unreachable.ts';
import { Failure } from '../words/failures.ts';

/** The key set of a service, read within a bound. Raises `unreachable` where there is none. */
export function keysAt(url: string, signal: AbortSignal): WebhookKeys {
  const keys = webhookKeys(url, {
    fetch: (input, options) => fetchDocument(input, { ...options, signal }),
  });
  return async (kid) => {
    try {
      return await keys(kid);
    } catch (error) {
      signal.throwIfAborted();
      throw new Failure({
        exit: 'unreachable',
        message: `${url} does not tell the keys of its deliveries: ${reasonOf(error)}`,
        next: 'Check the address with keywright doctor.',
      });
    }
  };
}
