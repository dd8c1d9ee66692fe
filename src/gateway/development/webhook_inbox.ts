// A receiver of webhooks inside the service, for development: it verifies each delivery as docs/webhooks.md
// prescribes, and stores the last ones for display.

import type { IncomingHttpHeaders } from 'node:http';
import { Untrusted } from '../../client/errors.ts';
import { verifyWebhook } from '../../client/webhooks.ts';
import { textOfUtf8 } from '../../core/base/bytes.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';

export const webhookInboxLimits = {
  deliveries: 200,
  /** Maximum total size of the bodies. */
  bodyBytes: 8 * 1024 * 1024,
};

/** A delivery in the answer of `GET /dev/webhooks`. */
type ReceivedWebhook = {
  readonly eventId: string;
  readonly eventType: string;
  /** Number of the event at its endpoint. */
  readonly sequence: string;
  /** Always true: an event that does not verify gets status 400 and is not stored. */
  readonly verified: true;
  /** RFC 3339, in UTC. */
  readonly receivedAt: string;
  readonly body: Json;
};

type WebhookInbox = {
  /** Stores a delivery that verifies, once for each event; returns the status of the answer. */
  receive(headers: IncomingHttpHeaders, body: Uint8Array): Promise<number>;
  /** Returns the answer of `GET /dev/webhooks`: the last deliveries, newest first. */
  read(): { readonly deliveries: readonly ReceivedWebhook[] };
};

/** Creates an empty inbox. `keySet` returns the key set (JWKS) as JSON; `clock` is in milliseconds. */
export function createWebhookInbox(
  keySet: () => Promise<Uint8Array>,
  clock: () => number,
): WebhookInbox {
  const kept: { readonly shown: ReceivedWebhook; readonly bytes: number }[] = [];
  let bytes = 0;
  return {
    receive: async (headers, body) => {
      const named = (name: string): string => String(headers[`x-service-${name}`] ?? '');
      const eventId = named('event-id');
      const isGenuine = await isVerified(headers, body, await keySet(), clock());
      const json = isGenuine ? parsedJson(textOfUtf8(body) ?? '') : undefined;
      if (json === undefined) return 400;
      // The service repeats an event if the answer was lost.
      if (kept.some(({ shown }) => shown.eventId === eventId)) return 200;
      const shown: ReceivedWebhook = {
        eventId,
        eventType: named('event-type'),
        sequence: named('sequence'),
        verified: true,
        receivedAt: new Date(clock()).toISOString(),
        body: json,
      };
      kept.push({ shown, bytes: body.length });
      bytes += body.length;
      while (kept.length > webhookInboxLimits.deliveries || bytes > webhookInboxLimits.bodyBytes) {
        bytes -= kept.shift()?.bytes ?? 0;
      }
      return 200;
    },
    read: () => ({ deliveries: kept.map(({ shown }) => shown).reverse() }),
  };
}

/** Returns true if a delivery verifies, as in a receiver. */
async function isVerified(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  keySet: Uint8Array,
  nowMs: number,
): Promise<boolean> {
  const parsed = parsedJson(textOfUtf8(keySet) ?? '');
  const keys = isJsonObject(parsed) && Array.isArray(parsed['keys']) ? parsed['keys'] : [];
  const rows = keys
    .filter(isJsonObject)
    .flatMap(({ kid, x }) =>
      typeof kid === 'string' && typeof x === 'string' ? [{ kid, x }] : [],
    );
  try {
    await verifyWebhook({ headers, body }, rows, { now: () => nowMs });
    return true;
  } catch (error) {
    // A signed body that is not JSON is not a delivery either.
    if (error instanceof Untrusted || error instanceof SyntaxError) return false;
    throw error;
  }
}
