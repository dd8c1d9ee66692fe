// A webhook receiver on loopback, and a verifier with only the signature rules of the specification.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { startLoopbackServer } from '../support/loopback_server.ts';
import { until } from './service.ts';

/** A received delivery. */
export type Received = {
  readonly headers: IncomingHttpHeaders;
  /** The raw body. */
  readonly body: Buffer;
  readonly atMs: number;
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Answers every delivery with the status of `answerOf`. Default: 200. */
export async function startReceiver(
  answerOf: (received: Received, count: number) => number | 'nothing' = () => 200,
) {
  const received: Received[] = [];
  let answer = answerOf;
  const { origin, stop } = await startLoopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const delivery = {
      headers: request.headers,
      body: Buffer.concat(chunks),
      atMs: Date.now(),
    };
    received.push(delivery);
    const status = answer(delivery, received.length);
    if (status === 'nothing') request.socket.destroy();
    else response.writeHead(status, { location: '/elsewhere' }).end();
  });
  return {
    url: `${origin}/hook`,
    received,
    answer: (next: typeof answerOf) => {
      answer = next;
    },
    /** Waits for a number of deliveries, and returns them. */
    atLeast: async (count: number): Promise<readonly Received[]> => {
      await until(`${count} deliveries arrive`, () => received.length >= count);
      return received;
    },
    close: stop,
  };
}

type Key = { readonly kid: string; readonly x: string } & Readonly<Record<string, unknown>>;

/** Keys by ID. They are cached for the time that the service names, and fetched again for an unknown ID. */
export function createKeySet(baseUrl: string) {
  let keys = new Map<string, Key>();
  let fetches = 0;
  let expiresAtMs = Number.NEGATIVE_INFINITY;
  async function refresh(nowMs: number): Promise<void> {
    const answer = await fetch(`${baseUrl}/public/v1/discovery/webhooks/jwks`); // HOOK-21
    const { keys: list } = (await answer.json()) as { readonly keys: readonly Key[] };
    keys = new Map(list.map((key) => [key.kid, key]));
    const caching = answer.headers.get('cache-control') ?? '';
    const [, maximumAge = '0'] = /max-age=(\d+)/.exec(caching) ?? [];
    expiresAtMs = nowMs + Number(maximumAge) * 1000;
    fetches += 1;
  }
  return {
    fetches: () => fetches,
    keyOf: async (kid: string, nowMs: number = Date.now()): Promise<Key | undefined> => {
      // DISC-14, HOOK-28
      if (nowMs >= expiresAtMs || !keys.has(kid)) await refresh(nowMs);
      return keys.get(kid); // HOOK-22
    },
  };
}

/** Returns the reason to reject a delivery; undefined if it is valid. HOOK-16 … HOOK-29 */
export async function refusalOf(
  { headers, body }: Pick<Received, 'headers' | 'body'>,
  keySet: ReturnType<typeof createKeySet>,
  nowMs: number = Date.now(),
): Promise<string | undefined> {
  const named = (name: string): string => {
    const value = headers[name];
    assert(typeof value === 'string', `the delivery has ${name}`);
    return value;
  };
  const kid = named('x-service-signature-key-id');
  const timestamp = named('x-service-timestamp');
  const eventId = named('x-service-event-id');
  if (named('x-service-signature-algorithm') !== 'ed25519') return 'algorithm';
  if (named('x-service-signature-version') !== 'v1') return 'version';
  const key = await keySet.keyOf(kid);
  if (key === undefined) return 'key';
  const publicKey = Buffer.from(key.x, 'base64url'); // HOOK-23
  const signature = Buffer.from(named('x-service-signature'), 'hex'); // HOOK-24
  if (publicKey.length !== 32 || signature.length !== 64) return 'length'; // LIM-06, LIM-07
  const head = Buffer.from(`v1.ed25519.${kid}.${timestamp}.${eventId}.`);
  const message = Buffer.concat([head, body]); // HOOK-16, HOOK-17
  const raw = createPublicKey({
    key: publicKey,
    format: 'raw-public',
    asymmetricKeyType: 'ed25519',
  });
  if (!verify(null, message, raw, signature)) return 'signature'; // HOOK-25
  if (Math.abs(nowMs - Number(timestamp)) > 5 * 60 * 1000) return 'timestamp'; // HOOK-26, HOOK-27
  return undefined;
}
