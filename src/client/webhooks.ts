// Verifies webhook deliveries before their bodies are parsed; docs/webhooks.md describes the format.

import { boundedText } from './bounded_text.ts';
import { bytesOfBase64, bytesOfHex, joined, utf8 } from './bytes.ts';
import { Untrusted } from './errors.ts';

/** A received delivery: its headers, and the raw bytes of its body. */
export type Delivery = {
  /** Headers of `fetch` or of `node:http`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array | string;
};

/** A verified delivery. */
export type WebhookEvent = {
  /** The same in every attempt. For an event that was processed before, answer 200 and do nothing. */
  readonly eventId: string;
  /** Time of this attempt's signature, in milliseconds since 1970. */
  readonly timestampMs: number;
  /** The parsed body. */
  readonly event: Readonly<Record<string, unknown>>;
};

/** A row of the key set. */
export type WebhookKey = { readonly kid: string; readonly x: string };

/** Returns the key with this id; undefined if there is none. */
export type WebhookKeys = (kid: string) => Promise<WebhookKey | undefined>;

const longestKeepMs = 86_400_000;
const timeoutMs = 10_000;
/** Minimum interval between fetches for unknown key ids, so that forged deliveries cannot cause more. */
const refetchMs = 10_000;

/**
 * Returns a lookup in the published keys of a service, cached as the response allows. An unknown id causes a
 * new fetch, at most once in ten seconds.
 */
export function webhookKeys(
  url: string,
  world: { readonly fetch?: typeof fetch; readonly now?: () => number } = {},
): WebhookKeys {
  const { fetch: get = fetch, now = Date.now } = world;
  let keys: readonly WebhookKey[] = [];
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let expiresAtMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    fetchedAtMs = now();
    const path = '/public/v1/discovery/webhooks/jwks';
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await get(`${url.replace(/\/+$/, '')}${path}`, { redirect: 'error', signal });
    if (!answer.ok) throw new TypeError(`the key set is answered with ${answer.status}`);
    const { keys: rows } = JSON.parse(await boundedText(answer)) as {
      readonly keys?: readonly WebhookKey[];
    };
    if (!Array.isArray(rows)) throw new TypeError('the key set holds no keys');
    keys = rows;
    const [, seconds = '0'] = /max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '') ?? [];
    expiresAtMs = fetchedAtMs + Math.min(Number(seconds) * 1000, longestKeepMs);
  };
  let reading: Promise<void> | undefined;
  return async (kid) => {
    const find = () => keys.find((key) => key.kid === kid);
    const isOld = now() >= expiresAtMs;
    if (isOld || (find() === undefined && now() >= fetchedAtMs + refetchMs)) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
    }
    return find();
  };
}

/** Maximum difference between the signed time and the receiver's clock, against replays. */
const toleranceMs = 300_000;

export type WebhookOptions = {
  readonly now?: () => number;
  /**
   * Returns true for organizations whose events the receiver accepts. All organizations of a service share
   * its keys, and any of them can send events to any receiver. Default: all; the caller checks
   * `organizationId` of the event.
   */
  readonly accepts?: (organizationId: string) => boolean | Promise<boolean>;
};

/**
 * Verifies a delivery and returns its event. `keys`: the result of `webhookKeys`, or the rows of a saved key
 * set. Throws `Untrusted` if the signature, key or time is invalid, or if `accepts` rejects the organization.
 * Does not detect repeated events: check `eventId`.
 */
export async function verifyWebhook(
  { headers, body }: Delivery,
  keys: WebhookKeys | readonly WebhookKey[],
  { now = Date.now, accepts = () => true }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string): string => {
    const full = `x-service-${name}`;
    const value = headers instanceof Headers ? headers.get(full) : headers[full];
    return typeof value === 'string' ? value : refuse(`it lacks the header ${full}`);
  };
  const kid = header('signature-key-id');
  const timestamp = header('timestamp');
  const eventId = header('event-id');
  const [algorithm, version] = [header('signature-algorithm'), header('signature-version')];
  if (algorithm !== 'ed25519' || version !== 'v1') refuse('its signature is of another kind');
  const key = await (typeof keys === 'function' ? keys(kid) : keys.find((row) => row.kid === kid));
  if (key === undefined) refuse(`no key of the service has the id ${kid}`);
  const bytes = typeof body === 'string' ? utf8(body) : body;
  const message = joined(utf8(`v1.ed25519.${kid}.${timestamp}.${eventId}.`), bytes);
  if (!(await isSigned(key.x, header('signature'), message))) refuse('its signature is invalid');
  if (!/^\d+$/.test(timestamp) || Math.abs(now() - Number(timestamp)) > toleranceMs) {
    refuse('its time is more than five minutes away');
  }
  const event = JSON.parse(new TextDecoder().decode(bytes));
  if (!(await accepts(String(event.organizationId)))) refuse('it is of another organization');
  return { eventId, timestampMs: Number(timestamp), event };
}

async function isSigned(
  x: string,
  signature: string,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', bytesOfBase64(x), 'Ed25519', false, [
      'verify',
    ]);
    return await crypto.subtle.verify('Ed25519', key, bytesOfHex(signature), message);
  } catch {
    return false;
  }
}

function refuse(why: string): never {
  throw new Untrusted('DELIVERY_INVALID', `the delivery is refused: ${why}`);
}
