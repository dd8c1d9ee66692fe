// Reads the published keys that a service signs deliveries with.

import { type WebhookKeys, webhookKeys } from '../../client/webhooks.ts';
import { fetchDocument } from '../service/bounded_fetch.ts';
import { reasonOf } from '../service/unreachable.ts';
import { Failure } from '../words/failures.ts';

/** Returns the key set of a service, read within a bound. Throws `unreachable` if it cannot be read. */
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
        message: `${url} does not return the keys of its deliveries: ${reasonOf(error)}`,
        next: 'Check the address with keywright doctor.',
      });
    }
  };
}
