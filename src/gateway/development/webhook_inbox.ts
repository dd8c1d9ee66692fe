// A receiver of webhooks in the service itself, for development: it verifies each delivery as
// docs/webhooks.md tells receivers to, and keeps the last ones for people to look at.

import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { bytesOfHex, concatBytes, textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';

export const webhookInboxLimits = {
  deliveries: 200,
  /** Of all bodies together. */
  bodyBytes: 8 * 1024 * 1024,
  /** Between the timestamp of a delivery and the clock. */
  ageMs: 5 * 60_000,
};

/** A delivery as `GET /dev/webhooks` answers it. */
export type ReceivedWebhook = {
  readonly eventId: string;
  readonly eventType: string;
  /** Number of the event at its endpoint. */
  readonly sequence: string;
  /** Always true: what does not verify is answered 400 and not kept. */
  readonly verified: true;
  /** RFC 3339, in UTC. */
  readonly receivedAt: string;
  readonly body: Json;
};

export type WebhookInbox = {
  /** Keeps a delivery that verifies, once for each event; returns the status to answer. */
  receive(headers: IncomingHttpHeaders, body: Uint8Array): Promise<number>;
  /** The answer of `GET /dev/webhooks`: the last deliveries, newest first. */
  read(): { readonly deliveries: readonly ReceivedWebhook[] };
};

/** An empty inbox. `keySet` returns the published key set (JWKS) as JSON; `clock` is in milliseconds. */
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
      const publicKey = publicKeyOf(await keySet(), named('signature-key-id'));
      const parsed = isVerified(named, body, publicKey, clock()) ? textOfUtf8(body) : undefined;
      const json = parsed === undefined ? undefined : parsedJson(parsed);
      if (json === undefined) return 400;
      // The same event comes again when an answer was lost.
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

/** Whether the signature is the service's over these bytes, of now. */
function isVerified(
  named: (name: string) => string,
  body: Uint8Array,
  publicKey: Buffer | undefined,
  nowMs: number,
): boolean {
  const [algorithm, version] = [named('signature-algorithm'), named('signature-version')];
  const signature = bytesOfHex(named('signature'));
  if (algorithm !== 'ed25519' || version !== 'v1') return false;
  if (publicKey?.length !== 32 || signature?.length !== 64) return false;
  const timestamp = named('timestamp');
  if (!(Math.abs(nowMs - Number(timestamp)) <= webhookInboxLimits.ageMs)) return false;
  const head = [version, algorithm, named('signature-key-id'), timestamp, named('event-id'), ''];
  const key = createPublicKey({
    key: publicKey,
    format: 'raw-public',
    asymmetricKeyType: 'ed25519',
  });
  return verify(null, concatBytes(utf8(head.join('.')), body), key, signature);
}

function publicKeyOf(keySet: Uint8Array, keyId: string): Buffer | undefined {
  const parsed = parsedJson(textOfUtf8(keySet) ?? '');
  const keys = isJsonObject(parsed) && Array.isArray(parsed['keys']) ? parsed['keys'] : [];
  const found = keys.filter(isJsonObject).find(({ kid }) => kid === keyId);
  return typeof found?.['x'] === 'string' ? Buffer.from(found['x'], 'base64url') : undefined;
}
